#include "bench/measure/peer_process.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include "runtime/host/start_process.h"

namespace bench {

using gs::detail::descriptor;

namespace {

using clock = std::chrono::steady_clock;

descriptor checked(int number, const std::string& what) {
  if (number < 0) throw peer_failure(fmt::format("{} can't be made: {}", what, std::strerror(errno)));
  return descriptor(number);
}

pid_t start(const std::vector<std::string>& command, int socket, int errors, int file) try {
  return gs::detail::start_process(
      {.command = command, .input = socket, .output = socket, .error = errors, .descriptors = {file}});
} catch (const std::system_error& e) {
  throw peer_failure(fmt::format("'{}' can't be started: {}", command.at(0), e.code().message()));
}

descriptor memory_file(const char* name) { return checked(memfd_create(name, MFD_CLOEXEC), "a file in memory"); }

std::string last_line(const descriptor& file) {
  std::array<char, 4096> end;
  const off_t size = lseek(file.number(), 0, SEEK_END), from = std::max<off_t>(size - off_t{end.size()}, 0);
  const ssize_t n = pread(file.number(), end.data(), end.size(), from);
  std::string text(end.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
  text.erase(text.find_last_not_of(" \n") + 1);
  return text.substr(text.rfind('\n') + 1);  // npos + 1 is 0
}

}  // namespace

peer_process::peer_process(const std::vector<std::string>& command)
    : file_(memory_file("peer")), errors_(memory_file("errors")) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) checked(-1, "a pair of sockets");
  socket_ = descriptor(ends[0]);
  const descriptor their_end(ends[1]);
  id_ = start(command, their_end.number(), errors_.number(), file_.number());
}

peer_process::~peer_process() {
  kill(-id_, SIGKILL);
  if (!ended_) waitpid(id_, nullptr, 0);
}

std::string peer_process::ask(const std::string& question, std::chrono::milliseconds patience) {
  const std::string line = question + "\n";
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t n = send(socket_.number(), line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;  // it ended: listen() finds out how
    sent += static_cast<std::size_t>(n);
  }
  return listen(patience);
}

std::string peer_process::listen(std::chrono::milliseconds patience) {
  const auto end = clock::now() + patience;
  for (;;) {
    if (const std::size_t length = unread_.find('\n'); length != std::string::npos) {
      std::string line = unread_.substr(0, length);
      unread_.erase(0, length + 1);
      return line;
    }
    const auto remaining = std::chrono::duration_cast<std::chrono::milliseconds>(end - clock::now()).count();
    pollfd wait{.fd = socket_.number(), .events = POLLIN, .revents = 0};
    if (remaining <= 0 || poll(&wait, 1, static_cast<int>(remaining) + 1) == 0)
      throw peer_silence(fmt::format("no answer within {:g} s", std::chrono::duration<double>(patience).count()));
    std::array<char, 4096> part;
    const ssize_t n = recv(socket_.number(), part.data(), part.size(), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw peer_failure(last_words());
    unread_.append(part.data(), static_cast<std::size_t>(n));
  }
}

// Describes how a program that closed its output has ended.
std::string peer_process::last_words() {
  int status = 0;
  for (int looks = 0; looks < 100 && !ended_; ++looks) {
    ended_ = waitpid(id_, &status, WNOHANG) == id_;
    if (!ended_) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::string how = !ended_ ? "closed its output"
                    : WIFSIGNALED(status)
                        ? fmt::format("ended by signal {}, {}", WTERMSIG(status), strsignal(WTERMSIG(status)))
                        : fmt::format("ended with status {}", WEXITSTATUS(status));
  if (const std::string message = last_line(errors_); !message.empty()) how += ": " + message;
  return how;
}

void peer_process::append(std::span<const std::byte> data) {
  lseek(file_.number(), 0, SEEK_END);
  while (!data.empty()) {
    const ssize_t n = ::write(file_.number(), data.data(), data.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw peer_failure(fmt::format("its file in memory can't be written: {}", std::strerror(errno)));
    data = data.subspan(static_cast<std::size_t>(n));
  }
}

void peer_process::read(std::span<std::byte> data) const {
  for (off_t offset = 0; !data.empty();) {
    const ssize_t n = pread(file_.number(), data.data(), data.size(), offset);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw peer_failure(fmt::format("its result is {} bytes too short", data.size()));
    data = data.subspan(static_cast<std::size_t>(n));
    offset += n;
  }
}

void peer_process::empty() {
  if (ftruncate(file_.number(), 0) != 0)
    throw peer_failure(fmt::format("its file in memory can't be emptied: {}", std::strerror(errno)));
  lseek(file_.number(), 0, SEEK_SET);  // the program shares the position
}

}  // namespace bench
