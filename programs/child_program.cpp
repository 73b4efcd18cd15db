#include "programs/child_program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "runtime/core/error.h"
#include "runtime/core/printable.h"

namespace programs {
namespace {

[[noreturn]] void refuse(const std::string& asked) {
  throw gs::machine_error(asked, std::system_category().message(errno), "end other programs, or raise the limit");
}

// In the child, between fork and exec.
[[noreturn]] void become(const child_options& o, char* const* words) {
  if (o.in_background) {
    setpgid(0, 0);
    dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  }
  if (o.output >= 0) dup2(o.output, STDOUT_FILENO);
  const sigset_t set = ending_signals();
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  execvp(o.program.c_str(), words);
  _exit(127);
}

}  // namespace

child_program::child_program(const child_options& o) {
  for (const auto& [variable, value] : o.variables) setenv(variable.c_str(), value.c_str(), 1);
  std::vector<char*> words{const_cast<char*>(o.name.c_str())};
  for (const std::string& argument : o.arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  id_ = fork();
  if (id_ < 0) refuse("start " + gs::detail::printable(o.name));
  if (id_ == 0) become(o, words.data());
  if (o.in_background) setpgid(id_, id_);  // in the parent and in the child, whichever runs first
  target_ = o.in_background ? -id_ : id_;
  watch_ = gs::detail::descriptor(static_cast<int>(syscall(SYS_pidfd_open, id_, 0)));
  if (!watch_.open()) refuse("wait for " + gs::detail::printable(o.name));
}

child_program::~child_program() {
  if (ended()) return;
  send(SIGKILL);
  while (!ended() && waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool child_program::ended() {
  if (id_ == 0) return true;
  int status = 0;
  if (waitpid(id_, &status, WNOHANG) != id_) return false;
  status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (target_ < 0) kill(target_, SIGKILL);  // with everything it started
  id_ = 0;
  return true;
}

void child_program::send(int signal) const {
  if (id_ != 0) kill(target_, signal);
}

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, number);
  return set;
}

}  // namespace programs
