// expect: criterion:speed
// One thread does everything.

#include "assessments/A1_neural_layer/task.h"

GS_FN void layer(gs::thread, gs::view<const float> grey, gs::view<const float> weight, gs::view<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double x = static_cast<double>(grey[i]) / 255 * static_cast<double>(weight[i]);
    out[i] = static_cast<float>(std::tanh(x));
  }
}

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  const auto grey = gs::to_device(greyscales), weight = gs::to_device(weights);
  const gs::device_array<float> out(n);
  gs::launch<layer>({.grid = 1, .block = 1}, grey, weight, out);
  return out.copy_to_host();
}
