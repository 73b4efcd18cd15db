#include "viewer/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <thread>

namespace viewer {

struct child_process::state {
  std::function<void()> wake;
  pid_t child = -1;
  std::array<int, 2> pipes{-1, -1};  // its standard output and error, our ends
  mutable std::mutex mutex;
  std::array<std::string, 2> texts;
  int status = -1;
  bool reaped = false;
  std::thread reader;

  // Reads until both pipes are closed, then waits for the program itself.
  void listen() {
    std::array<pollfd, 2> waiting{pollfd{pipes[0], POLLIN, 0}, pollfd{pipes[1], POLLIN, 0}};
    std::array<char, 16384> buffer;
    while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
      if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) break;
      for (std::size_t k = 0; k < 2; ++k) {
        if (waiting[k].fd < 0 || waiting[k].revents == 0) continue;
        const ssize_t n = read(waiting[k].fd, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
          waiting[k].fd = -1;
          continue;
        }
        const std::lock_guard lock(mutex);
        texts[k].append(buffer.data(), static_cast<std::size_t>(n));
      }
      wake();
    }
    // It is not waited for without the lock: its number must not be another's when it is ended.
    siginfo_t info{};
    while (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    {
      const std::lock_guard lock(mutex);
      int how = 0;
      waitpid(child, &how, 0);
      reaped = true;
      status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    }
    wake();
  }
};

child_process::child_process(std::vector<std::string> arguments, std::function<void()> wake)
    : state_(std::make_unique<state>()) {
  state& s = *state_;
  s.wake = std::move(wake);
  std::vector<char*> words;
  for (std::string& word : arguments) words.push_back(word.data());
  words.push_back(nullptr);
  std::array<int, 2> out{-1, -1}, err{-1, -1};
  if (pipe2(out.data(), O_CLOEXEC) == 0 && pipe2(err.data(), O_CLOEXEC) == 0) s.child = fork();
  if (s.child == 0) {
    setpgid(0, 0);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, 0);
    dup2(out[1], 1);
    dup2(err[1], 2);
    execvp(words[0], words.data());
    const char* why = strerror(errno);
    dprintf(2, "%s can't be started: %s\n", words[0], why);
    _exit(127);
  }
  const int error = errno;
  for (const int ours : {out[1], err[1]})
    if (ours >= 0) close(ours);
  if (s.child < 0) {
    s.texts[1] = arguments[0] + " can't be started: " + strerror(error);
    s.status = 127;
    s.reaped = true;
    for (const int theirs : {out[0], err[0]})
      if (theirs >= 0) close(theirs);
    return;
  }
  setpgid(s.child, s.child);
  s.pipes = {out[0], err[0]};
  s.reader = std::thread([&s] { s.listen(); });
}

child_process::~child_process() {
  if (!state_) return;
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->reaped) kill(-state_->child, SIGKILL);
  }
  if (state_->reader.joinable()) state_->reader.join();
  for (const int fd : state_->pipes)
    if (fd >= 0) close(fd);
}

child_process::child_process(child_process&&) noexcept = default;
child_process& child_process::operator=(child_process&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

bool child_process::ended() const { return status() >= 0; }
int child_process::status() const {
  const std::lock_guard lock(state_->mutex);
  return state_->status;
}
std::string child_process::output() const {
  const std::lock_guard lock(state_->mutex);
  return state_->texts[0];
}
std::string child_process::errors() const {
  const std::lock_guard lock(state_->mutex);
  return state_->texts[1];
}

}  // namespace viewer
