// expect: crashed or changed_input
// Normalizes where the grey values are, though they are constant.

#include "assessments/A1_neural_layer/task.h"

GS_FN float layer(float x, float weight) { return std::tanh(x * weight); }

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  auto* grey = const_cast<float*>(greyscales.data());
  for (std::size_t i = 0; i < n; ++i) grey[i] /= 255;
  return gs::vectorize<layer>(greyscales, weights);
}
