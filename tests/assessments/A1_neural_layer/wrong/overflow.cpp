// expect: wrong_answer
// The formula as it stands: for numbers beyond 88 it is infinity divided by infinity.

#include "assessments/A1_neural_layer/task.h"

GS_FN float layer(float grey, float weight) {
  const float x = grey / 255 * weight;
  const float rising = std::exp(x), falling = std::exp(-x);
  return (rising - falling) / (rising + falling);
}

std::vector<float> create_hidden_layer(std::size_t, std::span<const float> greyscales, std::span<const float> weights) {
  return gs::vectorize<layer>(greyscales, weights);
}
