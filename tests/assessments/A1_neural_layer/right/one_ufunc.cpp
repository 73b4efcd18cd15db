// One fused ufunc on host arrays: the runtime copies two in and one out. The larger exponential never occurs, and
// near 0, where the difference would lose its digits, two terms of the series are enough.

#include "assessments/A1_neural_layer/task.h"

GS_FN float layer(float grey, float weight) {
  const float x = grey / 255 * weight;
  const float falling = std::exp(-2 * std::abs(x));
  const float far = std::copysign((1 - falling) / (1 + falling), x), near = x - x * x * x / 3;
  return std::abs(x) < 0.05f ? near : far;
}
constexpr auto hidden_layer = gs::vectorize<layer>;

std::vector<float> create_hidden_layer(std::size_t, std::span<const float> greyscales, std::span<const float> weights) {
  return hidden_layer(greyscales, weights);
}
