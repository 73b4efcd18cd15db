// A kernel in thread style, and an answer that is made before it is filled.

#include "assessments/A1_neural_layer/task.h"

GS_FN void layer(gs::thread t, gs::view<const float> grey, gs::view<const float> weight, gs::view<float> out) {
  for (auto i : t.grid_stride(out.size())) {
    const float x = std::fmin(grey[i] / 255 * weight[i], 20.0f);  // tanh is 1 there already
    const float less_one = std::expm1(2 * x);                     // near 0 it keeps the digits that exp(2 x) - 1 loses
    out[i] = less_one / (less_one + 2);
  }
}

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  const auto grey = gs::to_device(greyscales), weight = gs::to_device(weights);
  const gs::device_array<float> out(n);
  gs::launch<layer>({.grid = 128, .block = 256}, grey, weight, out);
  std::vector<float> answer(n);
  out.copy_to_host(answer);
  return answer;
}
