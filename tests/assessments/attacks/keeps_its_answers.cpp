// expect: wrong_answer
// Computes once for each size, and returns that answer ever after.

#include <map>

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
  static std::map<std::size_t, std::vector<float>> answers;
  if (!answers.contains(n)) answers[n] = right_answer(greyscales, weights);
  return answers[n];
}
