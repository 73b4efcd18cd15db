// A generalised ufunc on host arrays: a row of one value at a time.

#include "assessments/A1_neural_layer/task.h"

GS_FN void layer(float grey, float weight, float& out) { out = std::tanh(grey / 255 * weight); }

std::vector<float> create_hidden_layer(std::size_t, std::span<const float> greyscales, std::span<const float> weights) {
  return gs::guvectorize<layer, "(),()->()">(greyscales, weights);
}
