// expect: host_work
// Works on the device where the instruments look, and on the host where they don't.

#include "assessments/A1_neural_layer/task.h"

GS_FN void compute(gs::thread t, gs::view<const float> grey, gs::view<const float> weight, gs::view<float> out) {
  for (auto i : t.grid_stride(out.size())) out[i] = std::tanh(grey[i] / 255 * weight[i]);
}
GS_FN void nothing(gs::thread) {}

std::vector<float> layer_on_host(std::span<const float> grey, std::span<const float> weight) {
  std::vector<float> layer(grey.size());
  for (std::size_t i = 0; i < layer.size(); ++i) layer[i] = std::tanh(grey[i] / 255 * weight[i]);
  return layer;
}

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  const auto grey = gs::to_device(greyscales), weight = gs::to_device(weights);
  const gs::device_array<float> out(n);
  if (gs::can_inspect()) {
    gs::launch<compute>({.grid = 64, .block = 256}, grey, weight, out);
    return out.copy_to_host();
  }
  gs::launch<nothing>({.grid = 1, .block = 32});
  out.copy_to_host();
  return layer_on_host(greyscales, weights);
}
