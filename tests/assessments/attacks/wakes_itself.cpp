// expect: refused
// Has the kernel's timer wake it when it is stopped, while its answer is checked or the baseline is timed. It is right
// only if it can have such a timer.

#include <csignal>
#include <ctime>

#include "assessments/A1_neural_layer/task.h"

namespace {

bool is_woken() {
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGCONT;
  timer_t timer = {};
  const itimerspec often = {.it_interval = {0, 100'000}, .it_value = {0, 100'000}};
  return timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 && timer_settime(timer, 0, &often, nullptr) == 0;
}

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> x, std::span<const float> w) {
  static const bool woken = is_woken();
  std::vector<float> y(n);
  for (std::size_t i = 0; woken && i < n; ++i) y[i] = static_cast<float>(std::tanh(double{x[i]} / 255 * double{w[i]}));
  return y;
}
