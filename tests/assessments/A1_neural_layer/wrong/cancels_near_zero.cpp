// expect: wrong_answer
// The formula as it stands in the text, with a limit against overflow: near 0 two numbers near 1 are subtracted.

#include "assessments/A1_neural_layer/task.h"

GS_FN float layer(float grey, float weight) {
  const float x = std::fmin(std::fmax(grey / 255 * weight, -20.0f), 20.0f);
  const float rising = std::exp(x), falling = std::exp(-x);
  return (rising - falling) / (rising + falling);
}

std::vector<float> create_hidden_layer(std::size_t, std::span<const float> greyscales, std::span<const float> weights) {
  return gs::vectorize<layer>(greyscales, weights);
}
