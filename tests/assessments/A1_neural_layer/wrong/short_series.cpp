// expect: wrong_answer
// Two terms of tanh's series: right for small numbers alone.

#include "assessments/A1_neural_layer/task.h"

GS_FN float layer(float grey, float weight) {
  const float x = grey / 255 * weight;
  return x - x * x * x / 3;
}

std::vector<float> create_hidden_layer(std::size_t, std::span<const float> greyscales, std::span<const float> weights) {
  return gs::vectorize<layer>(greyscales, weights);
}
