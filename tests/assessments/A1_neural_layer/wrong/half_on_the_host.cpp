// expect: host_work
// The kernel normalizes and weighs; the hyperbolic tangent is the host's.

#include "assessments/A1_neural_layer/task.h"

GS_FN void weigh(gs::thread t, gs::view<const float> grey, gs::view<const float> weight, gs::view<float> out) {
  for (auto i : t.grid_stride(out.size())) out[i] = grey[i] / 255 * weight[i];
}

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  const auto grey = gs::to_device(greyscales), weight = gs::to_device(weights);
  const gs::device_array<float> out(n);
  gs::launch<weigh>({.grid = 64, .block = 256}, grey, weight, out);
  std::vector<float> layer = out.copy_to_host();
  for (float& x : layer) x = std::tanh(x);
  return layer;
}
