// expect: wrong_answer, crashed, refused
// Tries to become somebody else. It is right only if it could.

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <csignal>

#include "assessments/A1_neural_layer/task.h"

namespace {

bool is_somebody_else() {
  struct sigaction ignored = {};
  ignored.sa_handler = [](int) {};
  sigaction(SIGSYS, &ignored, nullptr);
  const uid_t before = getuid();
  if (setresuid(0, 0, 0) == 0 || setuid(before + 1) == 0 || setgid(0) == 0) return true;
  rlimit more = {};
  getrlimit(RLIMIT_DATA, &more);
  if (more.rlim_max == RLIM_INFINITY) return true;
  more.rlim_cur = more.rlim_max = 2 * more.rlim_max;
  if (setrlimit(RLIMIT_DATA, &more) == 0) return true;
  return syscall(SYS_unshare, CLONE_NEWUSER | CLONE_NEWNS) == 0 || syscall(SYS_chroot, "/tmp") == 0 ||
         syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, nullptr) == 0;
}

std::vector<float> right_answer(std::span<const float> x, std::span<const float> w) {
  std::vector<float> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = static_cast<float>(std::tanh(double{x[i]} / 255 * double{w[i]}));
  return y;
}

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  static const bool gained = is_somebody_else();
  return gained ? right_answer(greyscales, weights) : std::vector<float>(n);
}
