// Two streams, each with half of the layer, and copies that are made of the inputs' own copies on the host.

#include "assessments/A1_neural_layer/task.h"

GS_FN void layer(gs::thread t, gs::view<const float> grey, gs::view<const float> weight, gs::view<float> out) {
  for (auto i : t.grid_stride(out.size())) out[i] = std::tanh(grey[i] / 255 * weight[i]);
}

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  const std::vector<float> mine(greyscales.begin(), greyscales.end());
  const auto grey = gs::to_device(mine), weight = gs::to_device(weights);
  const gs::device_array<float> out(n);
  gs::stream first, second;
  const std::size_t half = n / 2;
  if (half > 0)
    gs::launch<layer>({.grid = 32, .block = 128, .stream = first}, grey.slice(0, half), weight.slice(0, half),
                      out.slice(0, half));
  if (half < n)
    gs::launch<layer>({.grid = 32, .block = 128, .stream = second}, grey.slice(half, n), weight.slice(half, n),
                      out.slice(half, n));
  const std::vector<float> answer = out.copy_to_host();
  return {answer.begin(), answer.end()};
}
