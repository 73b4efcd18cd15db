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
#include "runtime/core/spawn.h"

namespace workshop {
namespace {

std::string reason(int number) { return std::system_category().message(number); }

[[noreturn]] void refuse(const process_options& o, int number) {
  if (number == EAGAIN)
    throw gs::machine_error("start " + o.command.at(0),
                            "this machine starts no more processes (" + reason(number) + ")",
                            "end other programs, or raise the limit (ulimit -u)");
  throw gs::machine_error("start " + o.command.at(0), reason(number), "install what is missing, or end other programs");
}

// A session of its own, with no signal blocked, ignored or caught.
struct own_session : gs::spawn_attributes {
  own_session() {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(this, &none);
    posix_spawnattr_setsigdefault(this, &all);
    posix_spawnattr_setflags(this, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
};

int milliseconds_until(process::clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - process::clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 1 << 30));
}

}  // namespace

process::process(const process_options& o) : output_bytes_(o.output_bytes) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) refuse(o, errno);
  pipe_ = descriptor(ends[0]);
  const descriptor write_end(ends[1]);
  fcntl(pipe_.number(), F_SETFL, O_NONBLOCK);

  gs::file_actions actions;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, write_end.number(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, write_end.number(), STDERR_FILENO);
  std::vector<descriptor> high;  // where no number is that one of them is to have
  int next = STDERR_FILENO + 1;
  for (const int given : o.descriptors) {
    high.emplace_back(fcntl(given, F_DUPFD_CLOEXEC, 64));
    if (!high.back().open()) refuse(o, errno);
    posix_spawn_file_actions_adddup2(&actions, high.back().number(), next++);
  }
  posix_spawn_file_actions_addclosefrom_np(&actions, next);
  posix_spawn_file_actions_addchdir_np(&actions, o.directory.c_str());

  const own_session attributes;
  std::vector<std::string> words = o.command, variables = {"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"};
  if (const int failure = posix_spawnp(&id_, words.at(0).c_str(), &actions, &attributes, gs::as_c_strings(words).data(),
                                       gs::as_c_strings(variables).data()))
    refuse(o, failure);
  watch_ = descriptor(static_cast<int>(syscall(SYS_pidfd_open, id_, 0)));
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
  int status = 0;
  while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  watch_.close();
}

process_event process::wait(clock::time_point deadline, int other) {
  while (true) {
    // poll() leaves out what is negative: what has been closed, and an `other` that wasn't given.
    std::array<pollfd, 3> watched = {{{other, POLLIN, 0}, {watch_.number(), POLLIN, 0}, {pipe_.number(), POLLIN, 0}}};
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
