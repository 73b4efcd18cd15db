// expect: wrong_answer
// Off by one: the last value stays 0.

#include "assessments/A1_neural_layer/task.h"

GS_FN void layer(gs::thread t, gs::view<const float> grey, gs::view<const float> weight, gs::view<float> out) {
  for (auto i : t.grid_stride(out.size())) {
    const float x = grey[i] / 255 * weight[i];
    out[i] = i + 1 < out.size() ? std::tanh(x) : 0;
  }
}

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  const auto grey = gs::to_device(greyscales), weight = gs::to_device(weights);
  const gs::device_array<float> out(n);
  gs::launch<layer>({.grid = 128, .block = 256}, grey, weight, out);
  return out.copy_to_host();
}
