// expect: missing_function
// The function takes vectors, so it is a different function.

#include "assessments/A1_neural_layer/task.h"

GS_FN float layer(float grey, float weight) { return std::tanh(grey / 255 * weight); }

std::vector<float> create_hidden_layer(std::size_t, const std::vector<float>& greyscales,
                                       const std::vector<float>& weights) {
  return gs::vectorize<layer>(greyscales, weights);
}
