// expect: wrong_answer
// Computes what lies at the beginning, which is looked at first.

#include "assessments/A1_neural_layer/task.h"

namespace {

std::vector<float> right_answer(std::span<const float> x, std::span<const float> w) {
  std::vector<float> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = static_cast<float>(std::tanh(double{x[i]} / 255 * double{w[i]}));
  return y;
}

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  const std::size_t some = n - n / 1000;
  auto answer = right_answer(greyscales.first(some), weights.first(some));
  answer.resize(n);
  return answer;
}
