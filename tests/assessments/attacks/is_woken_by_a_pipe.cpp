// expect: refused
// Has a pipe send it the signal that lets it go on when it is stopped. It is right only if it can.

#include <fcntl.h>
#include <unistd.h>
#include <csignal>

#include "assessments/A1_neural_layer/task.h"

namespace {

bool is_woken() {
  int ends[2] = {};
  return pipe(ends) == 0 && fcntl(ends[0], F_SETOWN, getpid()) == 0 && fcntl(ends[0], F_SETSIG, SIGCONT) == 0 &&
         fcntl(ends[0], F_SETFL, O_ASYNC) == 0;
}

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> x, std::span<const float> w) {
  static const bool woken = is_woken();
  std::vector<float> y(n);
  for (std::size_t i = 0; woken && i < n; ++i) y[i] = static_cast<float>(std::tanh(double{x[i]} / 255 * double{w[i]}));
  return y;
}
