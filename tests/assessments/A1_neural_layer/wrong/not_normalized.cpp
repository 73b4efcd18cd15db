// expect: wrong_answer
// Grey values as they come, 0 to 255.

#include "assessments/A1_neural_layer/task.h"

GS_FN float layer(float grey, float weight) { return std::tanh(grey * weight); }

std::vector<float> create_hidden_layer(std::size_t, std::span<const float> greyscales, std::span<const float> weights) {
  return gs::vectorize<layer>(greyscales, weights);
}
