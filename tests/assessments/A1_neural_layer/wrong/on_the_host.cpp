// expect: host_work
// The device has nothing to do: no copy at all.

#include "assessments/A1_neural_layer/task.h"

GS_FN float layer(float grey, float weight) { return std::tanh(grey / 255 * weight); }

std::vector<float> create_hidden_layer(std::size_t, std::span<const float> greyscales, std::span<const float> weights) {
  return gs::vectorize<layer>.on(gs::target::parallel)(greyscales, weights);
}
