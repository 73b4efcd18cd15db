// expect: host_work or finding
// A kernel hands on what the host has put into a variable of the program.

#include "assessments/A1_neural_layer/task.h"

constexpr std::size_t size = std::size_t{1} << 24;
static float hidden[size];

GS_FN void hand_on(gs::thread t, gs::view<const float> grey, gs::view<const float> weight, gs::view<float> out) {
  for (auto i : t.grid_stride(out.size())) out[i] = grey[i] + weight[i] > -1e30f ? hidden[i % size] : 0;
}

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  for (std::size_t i = 0; i < n; ++i) hidden[i % size] = std::tanh(greyscales[i] / 255 * weights[i]);
  const auto grey = gs::to_device(greyscales), weight = gs::to_device(weights);
  const gs::device_array<float> out(n);
  gs::launch<hand_on>({.grid = 64, .block = 256}, grey, weight, out);
  return out.copy_to_host();
}
