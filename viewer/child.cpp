#include "viewer/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/host/start_process.h"

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
  const ssize_t size = ::read(descriptor, buffer.data(), buffer.size());
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
  return gs::detail::end_status(status);
}

}  // namespace

// Our ends of its standard output, its descriptor 3 and its standard error.
struct child::pipes {
  std::array<int, 3> reading;
};

child::child(const std::vector<std::string>& command, handlers h, const std::vector<std::string>& variables,
             const std::string& directory)
    : handlers_(std::move(h)) {
  const two_ends text = make_pipe(), stream = make_pipe(), errors = make_pipe();
  std::vector<std::string> environment = variables;  // of two with the same name, the first counts
  for (std::string& variable : gs::detail::own_environment()) environment.push_back(std::move(variable));
  std::string failure;
  try {
    id_ = gs::detail::start_process({.command = command,
                                     .output = text.writing,
                                     .error = handlers_.errors ? errors.writing : text.writing,
                                     .descriptors = {stream.writing},
                                     .directory = directory,
                                     .environment = std::move(environment)});
  } catch (const std::system_error& e) {
    failure = e.code().message();
  }
  for (const two_ends& ends : {text, stream, errors}) close(ends.writing);
  if (!failure.empty()) {
    for (const two_ends& ends : {text, stream, errors}) close(ends.reading);
    throw gs::machine_error(fmt::format("starting {}", command[0]), failure, "build it first");
  }
  thread_ = std::thread([this, from = pipes{{text.reading, stream.reading, errors.reading}}] { follow(from); });
}

child::~child() {
  cancel();
  thread_.join();
}

void child::cancel() {
  const std::lock_guard lock(running_);
  if (!gone_) kill(-id_, SIGKILL);
}

void child::follow(pipes from) {
  std::array<pollfd, 3> ends;
  for (std::size_t k = 0; k < ends.size(); ++k) ends[k] = {from.reading[k], POLLIN, 0};
  const std::function<void(std::string_view)>* const takers[] = {&handlers_.text, &handlers_.stream, &handlers_.errors};
  const auto all_closed = [&] { return std::ranges::all_of(ends, [](const pollfd& e) { return e.fd < 0; }); };
  std::optional<int> status;
  // Processes that the program leaves running may keep the pipes open: once it has ended, only what they already hold
  // is read.
  while (!all_closed()) {
    const int ready = poll(ends.data(), ends.size(), status ? 0 : 50);
    if (ready > 0) {
      for (std::size_t k = 0; k < ends.size(); ++k)
        if (ends[k].fd >= 0 && ends[k].revents != 0 && !drain(ends[k].fd, *takers[k])) ends[k].fd = -1;
    } else if (status) {
      break;
    } else {
      const std::lock_guard lock(running_);
      status = status_of(id_, WNOHANG);
      gone_ = status.has_value();
    }
  }
  for (const int descriptor : from.reading) close(descriptor);
  if (!status) {
    // Waits without the lock, so that the program can be cancelled meanwhile.
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
