#include "bench/measure/peer_process.h"

#include <fcntl.h>
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
#include <thread>
#include <utility>

#include "runtime/core/spawn.h"

namespace bench {
namespace {

using clock = std::chrono::steady_clock;

descriptor checked(int number, const std::string& what) {
  if (number < 0) throw peer_failure(fmt::format("{} can't be made: {}", what, std::strerror(errno)));
  return descriptor(number);
}

// A group of its own: what the program starts ends with it, and an interrupt at the terminal is for this process.
pid_t start(std::vector<std::string> command, int socket, int errors, int file) {
  gs::file_actions actions;
  posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, file, 3);
  gs::spawn_attributes attributes;
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t id = 0;
  if (const int failure =
          posix_spawnp(&id, command.at(0).c_str(), &actions, &attributes, gs::as_c_strings(command).data(), environ))
    throw peer_failure(fmt::format("'{}' can't be started: {}", command[0], std::strerror(failure)));
  return id;
}

// Out of the way of the numbers that the program will see.
descriptor above_three(const descriptor& of) { return checked(fcntl(of.number(), F_DUPFD_CLOEXEC, 4), "a descriptor"); }

descriptor memory_file(const char* name) {
  return above_three(checked(memfd_create(name, MFD_CLOEXEC), "a file in memory"));
}

std::string last_line(const descriptor& file) {
  std::array<char, 4096> end;
  const off_t size = lseek(file.number(), 0, SEEK_END), from = std::max<off_t>(size - off_t{end.size()}, 0);
  const ssize_t n = pread(file.number(), end.data(), end.size(), from);
  std::string text(end.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
  text.erase(text.find_last_not_of(" \n") + 1);
  return text.substr(text.rfind('\n') + 1);  // npos + 1 is 0
}

}  // namespace

descriptor::~descriptor() {
  if (number_ >= 0) close(number_);
}

peer_process::peer_process(std::vector<std::string> command)
    : file_(memory_file("peer")), errors_(memory_file("errors")) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) checked(-1, "a pair of sockets");
  socket_ = descriptor(ends[0]);
  const descriptor theirs = above_three(descriptor(ends[1]));
  id_ = start(std::move(command), theirs.number(), errors_.number(), file_.number());
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
    if (n < 0) break;  // it ended: the answer that doesn't come says how
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
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - clock::now()).count();
    pollfd wait{.fd = socket_.number(), .events = POLLIN, .revents = 0};
    if (left <= 0 || poll(&wait, 1, static_cast<int>(left) + 1) == 0)
      throw peer_silence(fmt::format("no answer within {:g} s", std::chrono::duration<double>(patience).count()));
    std::array<char, 4096> part;
    const ssize_t n = recv(socket_.number(), part.data(), part.size(), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw peer_failure(last_words());
    unread_.append(part.data(), static_cast<std::size_t>(n));
  }
}

// How a program ended that has closed its output.
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
  if (const std::string said = last_line(errors_); !said.empty()) how += ": " + said;
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
  for (off_t at = 0; !data.empty();) {
    const ssize_t n = pread(file_.number(), data.data(), data.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw peer_failure(fmt::format("its result is {} bytes too short", data.size()));
    data = data.subspan(static_cast<std::size_t>(n));
    at += n;
  }
}

void peer_process::empty() {
  if (ftruncate(file_.number(), 0) != 0)
    throw peer_failure(fmt::format("its file in memory can't be emptied: {}", std::strerror(errno)));
  lseek(file_.number(), 0, SEEK_SET);  // the program shares the position
}

}  // namespace bench
