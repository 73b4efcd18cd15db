// expect: wrong_answer, crashed, refused
// Tries every call that makes a process, and takes the signals of refused ones for itself. It is right only if one
// worked.

#include <linux/sched.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include "assessments/A1_neural_layer/task.h"

namespace {

// A refused call returns its own number: only a process that can be waited for is one.
bool worked(long process) {
  if (process == 0) _exit(0);  // the child
  return process > 0 && waitpid(static_cast<pid_t>(process), nullptr, __WALL) == process;
}

bool can_make_a_process() {
  struct sigaction ignored = {};
  ignored.sa_handler = [](int) {};
  sigaction(SIGSYS, &ignored, nullptr);
  if (worked(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0))) return true;
  clone_args how = {};
  how.exit_signal = SIGCHLD;
  if (worked(syscall(SYS_clone3, &how, sizeof how))) return true;
  return worked(syscall(SYS_fork));
}

std::vector<float> right_answer(std::span<const float> x, std::span<const float> w) {
  std::vector<float> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = static_cast<float>(std::tanh(double{x[i]} / 255 * double{w[i]}));
  return y;
}

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  static const bool made = can_make_a_process();
  return made ? right_answer(greyscales, weights) : std::vector<float>(n);
}
