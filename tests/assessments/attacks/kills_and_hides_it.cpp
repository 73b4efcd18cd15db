// expect: wrong_answer, crashed, refused
// Tries every call that sends signals to others, and takes the signals of refused ones for itself. It is right only if
// one went through.

#include <sys/syscall.h>
#include <unistd.h>
#include <csignal>

#include "assessments/A1_neural_layer/task.h"

namespace {

bool can_kill() {
  struct sigaction ignored = {};
  ignored.sa_handler = [](int) {};
  sigaction(SIGSYS, &ignored, nullptr);
  const pid_t parent = getppid();
  siginfo_t with = {};
  with.si_code = SI_QUEUE;
  // Signal 0 only asks whether it could be sent. A refused call returns its own number, or an error.
  const auto went_through = [](long result) { return result == 0; };
  bool sent = false;
  for (const pid_t other : {parent, pid_t{1}, pid_t{-1}, pid_t{0}})
    sent = sent || went_through(syscall(SYS_kill, other, 0)) || went_through(syscall(SYS_tkill, other, 0)) ||
           went_through(syscall(SYS_tgkill, other, other, 0)) ||
           went_through(syscall(SYS_rt_sigqueueinfo, other, SIGURG, &with));
  return sent;
}

std::vector<float> right_answer(std::span<const float> x, std::span<const float> w) {
  std::vector<float> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = static_cast<float>(std::tanh(double{x[i]} / 255 * double{w[i]}));
  return y;
}

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  static const bool killed = can_kill();
  return killed ? right_answer(greyscales, weights) : std::vector<float>(n);
}
