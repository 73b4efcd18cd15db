// expect: compile_error
// A factor of type double: values are never converted on their way into a ufunc.

#include "assessments/A1_neural_layer/task.h"

GS_FN float scale(float x, float factor) { return x * factor; }
GS_FN float layer(float x, float weight) { return std::tanh(x * weight); }

std::vector<float> create_hidden_layer(std::size_t, std::span<const float> greyscales, std::span<const float> weights) {
  const auto x = gs::vectorize<scale>(gs::to_device(greyscales), 1 / 255.0);
  return gs::vectorize<layer>(x, gs::to_device(weights)).copy_to_host();
}
