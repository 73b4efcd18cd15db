#include "workshop/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "runtime/core/error.h"
#include "runtime/host/start_process.h"

namespace workshop {
namespace {

std::string reason(int number) { return std::system_category().message(number); }

[[noreturn]] void refuse(const process_options& o, int number) {
  if (number == EAGAIN)
    throw gs::machine_error("start " + o.command.at(0),
                            "this machine starts no more processes (" + reason(number) + ")",
                            "end other programs, or raise the limit (ulimit -u)");
  throw gs::machine_error("start " + o.command.at(0), reason(number),
                          "install what is missing, or close other programs");
}

int milliseconds_until(process::clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - process::clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 1 << 30));
}

}  // namespace

process::process(const process_options& o) : output_bytes_(o.output_bytes) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) refuse(o, errno);
  pipe_ = gs::detail::descriptor(ends[0]);
  const gs::detail::descriptor write_end(ends[1]);
  fcntl(pipe_.number(), F_SETFL, O_NONBLOCK);

  try {
    id_ = gs::detail::start_process({.command = o.command,
                                     .output = write_end.number(),
                                     .error = write_end.number(),
                                     .descriptors = o.descriptors,
                                     .directory = o.directory,
                                     .environment = {{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"}}});
  } catch (const std::system_error& e) {
    refuse(o, e.code().value());
  }
  watch_ = gs::detail::descriptor(static_cast<int>(syscall(SYS_pidfd_open, id_, 0)));
  if (!watch_.open()) {
    const int number = errno;
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
    refuse(o, number);
  }
}

process::~process() { end(); }

void process::drain() {
  std::array<char, 1 << 16> piece;
  while (pipe_.open()) {
    const ssize_t n = read(pipe_.number(), piece.data(), piece.size());
    if (n < 0) {
      if (errno == EINTR) continue;
      return;
    }
    if (n == 0) return pipe_.close();
    const auto bytes = static_cast<std::uint64_t>(n);
    written_ += bytes;
    output_.append(piece.data(), std::min<std::uint64_t>(bytes, output_bytes_ - output_.size()));
    if (bytes < piece.size()) return;
  }
}

void process::reap() {
  status_ = gs::detail::wait_for_process(id_);
  watch_.close();
}

process_event process::wait(clock::time_point deadline, int descriptor) {
  while (true) {
    // poll() leaves out what is negative: what has been closed, and a `descriptor` that wasn't given.
    std::array<pollfd, 3> watched = {
        {{descriptor, POLLIN, 0}, {watch_.number(), POLLIN, 0}, {pipe_.number(), POLLIN, 0}}};
    const int ready = poll(watched.data(), watched.size(), milliseconds_until(deadline));
    if (ready < 0 && errno != EINTR)
      throw gs::machine_error("wait for a program", reason(errno), "end other programs and try again");
    if (ready > 0 && watched[2].revents) drain();
    if (ready > 0 && watched[0].revents) return process_event::readable;
    if (ready > 0 && watched[1].revents) reap();
    if (ended()) {
      drain();
      return process_event::ended;
    }
    if (clock::now() >= deadline) return process_event::deadline;
  }
}

void process::end() {
  if (!ended()) {
    kill(-id_, SIGKILL);
    kill(id_, SIGKILL);
    reap();
  }
  const auto deadline = clock::now() + std::chrono::seconds(5);
  while (pipe_.open() && clock::now() < deadline) {
    pollfd output{pipe_.number(), POLLIN, 0};
    if (poll(&output, 1, milliseconds_until(deadline)) > 0) drain();
  }
  pipe_.close();
}

program_result run_program(const process_options& o, double seconds) { return *run_program(o, seconds, {}); }

std::optional<program_result> run_program(const process_options& o, double seconds, const interruption& interrupt) {
  process running(o);
  const auto limit = std::chrono::duration_cast<process::clock::duration>(std::chrono::duration<double>(seconds));
  const auto deadline = process::clock::now() + limit;
  process_event event;
  while ((event = running.wait(deadline, interrupt.descriptor)) == process_event::readable)
    if (interrupt.happened()) return std::nullopt;
  running.end();
  return program_result{.status = running.status(),
                        .timed_out = event == process_event::deadline,
                        .output = running.output(),
                        .cut_bytes = running.output_written() - running.output().size()};
}

}  // namespace workshop
