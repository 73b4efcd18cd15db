#include "runtime/host/start_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "runtime/host/descriptor.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

struct file_actions : posix_spawn_file_actions_t {
  file_actions() { posix_spawn_file_actions_init(this); }
  ~file_actions() { posix_spawn_file_actions_destroy(this); }
  file_actions(const file_actions&) = delete;
  file_actions& operator=(const file_actions&) = delete;
};

struct spawn_attributes : posix_spawnattr_t {
  explicit spawn_attributes(bool own_session) {
    posix_spawnattr_init(this);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(this, &none);
    posix_spawnattr_setsigdefault(this, &all);
    const int session = own_session ? POSIX_SPAWN_SETSID : 0;
    posix_spawnattr_setflags(this, static_cast<short>(session | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  }
  ~spawn_attributes() { posix_spawnattr_destroy(this); }
  spawn_attributes(const spawn_attributes&) = delete;
  spawn_attributes& operator=(const spawn_attributes&) = delete;
};

// As posix_spawn takes them: with a null pointer behind the last one.
std::vector<char*> as_c_strings(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

pid_t start_process(const start_options& o) {
  file_actions actions;
  std::vector<descriptor> high;  // copies where no number is that one of them is to have
  const auto pass_on = [&](int ours, int theirs) {
    high.emplace_back(fcntl(ours, F_DUPFD_CLOEXEC, 64));
    if (!high.back().open()) throw std::system_error(errno, std::system_category());
    posix_spawn_file_actions_adddup2(&actions, high.back().number(), theirs);
  };
  if (o.input >= 0)
    pass_on(o.input, STDIN_FILENO);
  else
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (o.output >= 0) pass_on(o.output, STDOUT_FILENO);
  if (o.error >= 0) pass_on(o.error, STDERR_FILENO);
  int next = STDERR_FILENO + 1;
  for (const int ours : o.descriptors) pass_on(ours, next++);
  posix_spawn_file_actions_addclosefrom_np(&actions, next);
  if (!o.directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, o.directory.c_str());

  const spawn_attributes attributes(o.own_session);
  std::vector<std::string> words = o.command, variables = o.environment.value_or(std::vector<std::string>());
  pid_t id = 0;
  const int failure = posix_spawnp(&id, words.at(0).c_str(), &actions, &attributes, as_c_strings(words).data(),
                                   o.environment ? as_c_strings(variables).data() : environ);
  if (failure != 0) throw std::system_error(failure, std::system_category());
  return id;
}

int end_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

int wait_for_process(pid_t id) {
  int status = 0;
  while (waitpid(id, &status, 0) < 0)
    if (errno != EINTR) throw std::system_error(errno, std::system_category());
  return end_status(status);
}

std::vector<std::string> own_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.emplace_back(*variable);
  return variables;
}

}  // namespace gs::inline GS_FLAVOUR::detail
