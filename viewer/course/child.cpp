#include "viewer/course/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include "runtime/core/error.h"

namespace viewer {
namespace {

struct two_ends {
  int reading, writing;
};
two_ends make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw gs::machine_error("starting a program", std::strerror(errno), "close other programs, then try again");
  return {ends[0], ends[1]};
}

// False once nobody can write any more.
bool drain(int descriptor, const std::function<void(std::string_view)>& take) {
  std::array<char, 1 << 16> buffer;
  const ssize_t size = read(descriptor, buffer.data(), buffer.size());
  if (size < 0) return errno == EINTR || errno == EAGAIN;
  if (size > 0 && take) take({buffer.data(), static_cast<std::size_t>(size)});
  return size > 0;
}

std::optional<int> status_of(pid_t id, int options) {
  int status = 0;
  pid_t reaped = 0;
  do reaped = waitpid(id, &status, options);
  while (reaped < 0 && errno == EINTR);
  if (reaped != id) return {};
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

child::child(const std::vector<std::string>& command, handlers h, const std::vector<std::string>& variables,
             const std::string& directory)
    : handlers_(std::move(h)) {
  const two_ends text = make_pipe(), stream = make_pipe();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, text.writing, 1);
  posix_spawn_file_actions_adddup2(&actions, text.writing, 2);
  posix_spawn_file_actions_adddup2(&actions, stream.writing, 3);
  if (!directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);

  std::vector<char*> arguments, environment;
  for (const std::string& a : command) arguments.push_back(const_cast<char*>(a.c_str()));
  arguments.push_back(nullptr);
  for (const std::string& v : variables) environment.push_back(const_cast<char*>(v.c_str()));
  for (char** v = environ; *v != nullptr; ++v) environment.push_back(*v);  // of two, the first is found
  environment.push_back(nullptr);
  const int failed = posix_spawnp(&id_, arguments[0], &actions, &attributes, arguments.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(text.writing);
  close(stream.writing);
  if (failed != 0) {
    close(text.reading);
    close(stream.reading);
    throw gs::machine_error(fmt::format("starting {}", command[0]), std::strerror(failed), "build it first");
  }
  thread_ = std::thread([this, text, stream] { follow(text.reading, stream.reading); });
}

child::~child() {
  cancel();
  thread_.join();
}

void child::cancel() {
  const std::lock_guard lock(running_);
  if (!gone_) kill(-id_, SIGKILL);
}

void child::follow(int text, int stream) {
  std::array<pollfd, 2> ends{pollfd{text, POLLIN, 0}, pollfd{stream, POLLIN, 0}};
  std::optional<int> status;
  // What the program leaves running may keep the pipes open: once it has ended, only what is there already is taken.
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    const int ready = poll(ends.data(), ends.size(), status ? 0 : 50);
    if (ready > 0) {
      if (ends[0].revents != 0 && !drain(text, handlers_.text)) ends[0].fd = -1;
      if (ends[1].revents != 0 && !drain(stream, handlers_.stream)) ends[1].fd = -1;
    } else if (status) {
      break;
    } else {
      const std::lock_guard lock(running_);
      status = status_of(id_, WNOHANG);
      gone_ = status.has_value();
    }
  }
  close(text);
  close(stream);
  if (!status) {
    // It is waited for without the lock, so that it can be cancelled meanwhile.
    siginfo_t info;
    while (waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    const std::lock_guard lock(running_);
    status = status_of(id_, 0);
    gone_ = true;
  }
  if (handlers_.ended) handlers_.ended(status.value_or(0));
}

}  // namespace viewer
