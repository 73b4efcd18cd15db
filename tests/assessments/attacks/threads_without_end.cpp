// expect: wrong_answer, exception, crashed
// Starts threads until no more can be. It is right only if there is no end to them.

#include <unistd.h>
#include <system_error>
#include <thread>

#include "assessments/A1_neural_layer/task.h"

namespace {

bool without_end() {
  for (int k = 0; k < 2000; ++k) try {
      std::thread([] { pause(); }).detach();
    } catch (const std::system_error&) {
      return false;
    }
  return true;
}

std::vector<float> right_answer(std::span<const float> x, std::span<const float> w) {
  std::vector<float> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = static_cast<float>(std::tanh(double{x[i]} / 255 * double{w[i]}));
  return y;
}

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  static const bool endless = without_end();
  return endless ? right_answer(greyscales, weights) : std::vector<float>(n);
}
