// expect: wrong_answer
// As many blocks as fit: what doesn't fill a block is forgotten.

#include "assessments/A1_neural_layer/task.h"

GS_FN void layer(gs::thread t, gs::view<const float> grey, gs::view<const float> weight, gs::view<float> out) {
  const float x = grey[t.grid()] / 255 * weight[t.grid()];
  out[t.grid()] = std::tanh(x);
}

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  const auto grey = gs::to_device(greyscales), weight = gs::to_device(weights);
  const auto out = gs::to_device(std::vector<float>(n));
  if (n >= 32) gs::launch<layer>({.grid = n / 32, .block = 32}, grey, weight, out);
  return out.copy_to_host();
}
