// Block style: 256 neighbours at a time.

#include "assessments/A1_neural_layer/task.h"

GS_FN void layer(gs::block<256> block, gs::view<const float> grey, gs::view<const float> weight, gs::view<float> out) {
  block.each([&](auto t) {
    const std::size_t i = t.grid_x();
    if (i >= out.size()) return;
    const float x = grey[i] / 255 * weight[i], less = std::expm1(-2 * std::abs(x));
    out[i] = std::copysign(less / (2 + less), x);
  });
}

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  if (n == 0) return {};
  const auto grey = gs::to_device(greyscales), weight = gs::to_device(weights);
  const auto out = gs::device_array_like(grey);
  gs::launch<layer>({.grid = (n + 255) / 256}, grey, weight, out);
  return out.copy_to_host();
}
