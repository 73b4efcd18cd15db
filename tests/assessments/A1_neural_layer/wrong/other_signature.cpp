// expect: missing_function
// The function takes vectors, and so it is another one.

#include "assessments/A1_neural_layer/task.h"

GS_FN float layer(float grey, float weight) {
  const float x = grey / 255 * weight;
  const float falling = std::exp(-2 * std::abs(x));
  return std::copysign((1 - falling) / (1 + falling), x);
}

std::vector<float> create_hidden_layer(std::size_t, const std::vector<float>& greyscales,
                                       const std::vector<float>& weights) {
  return gs::vectorize<layer>(greyscales, weights);
}
