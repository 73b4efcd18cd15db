// expect: host_work
// What is copied to the device is the finished layer, and a kernel hands it on.

#include "assessments/A1_neural_layer/task.h"

GS_FN void hand_on(gs::thread t, gs::view<const float> grey, gs::view<const float> layer, gs::view<float> out) {
  for (auto i : t.grid_stride(out.size())) out[i] = grey[i] >= 0 ? layer[i] : 0;
}

std::vector<float> layer_on_host(std::span<const float> grey, std::span<const float> weight) {
  std::vector<float> layer(grey.size());
  for (std::size_t i = 0; i < layer.size(); ++i) layer[i] = std::tanh(grey[i] / 255 * weight[i]);
  return layer;
}

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  const auto grey = gs::to_device(greyscales), layer = gs::to_device(layer_on_host(greyscales, weights));
  const gs::device_array<float> out(n);
  gs::launch<hand_on>({.grid = 64, .block = 256}, grey, layer, out);
  return out.copy_to_host();
}
