// expect: wrong_answer
// sinh from cosh: for small numbers the square of cosh is hardly more than 1, and the digits of the rest are lost.

#include "assessments/A1_neural_layer/task.h"

GS_FN float layer(float grey, float weight) {
  const float x = std::fmin(std::fmax(grey / 255 * weight, -20.0f), 20.0f);
  const float cosh = (std::exp(x) + std::exp(-x)) / 2;
  return std::copysign(std::sqrt(cosh * cosh - 1), x) / cosh;
}

std::vector<float> create_hidden_layer(std::size_t, std::span<const float> greyscales, std::span<const float> weights) {
  return gs::vectorize<layer>(greyscales, weights);
}
