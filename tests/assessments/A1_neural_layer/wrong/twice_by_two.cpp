// expect: race, graded whole
// The answer is right. But the stride is one less than there are threads, so that two of them write to one element.

#include "assessments/A1_neural_layer/task.h"

GS_FN void layer_kernel(gs::thread t, gs::view<const float> grey, gs::view<const float> weight, gs::view<float> out) {
  for (std::size_t i = t.grid(); i < out.size(); i += t.gridsize() - 1) {
    const float x = grey[i] / 255 * weight[i];
    out[i] = std::tanh(x);
  }
}

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  const auto grey = gs::to_device(greyscales), weight = gs::to_device(weights);
  const gs::device_array<float> out(n);
  gs::launch<layer_kernel>({.grid = 4, .block = 64}, grey, weight, out);
  return out.copy_to_host();
}
