// expect: criterion:copies
// Three ufuncs on host arrays: the results in between go home and come back.

#include "assessments/A1_neural_layer/task.h"

GS_FN float normalize(float grey) { return grey / 255; }
GS_FN float weigh(float x, float weight) { return x * weight; }
GS_FN float activate(float x) { return std::tanh(x); }

std::vector<float> create_hidden_layer(std::size_t, std::span<const float> greyscales, std::span<const float> weights) {
  const auto normalized = gs::vectorize<normalize>(greyscales);
  const auto weighed = gs::vectorize<weigh>(normalized, weights);
  return gs::vectorize<activate>(weighed);
}
