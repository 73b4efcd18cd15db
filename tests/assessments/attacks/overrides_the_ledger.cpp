// expect: refused
// Has a weak function in the place of the one that counts copies.

#include "assessments/A1_neural_layer/task.h"

namespace gs::inline GS_FLAVOUR::detail {
__attribute__((weak)) void copy_device_to_host(void*, const device_memory*, const void*, std::size_t, std::size_t,
                                               const access_place&) {}
}  // namespace gs::inline GS_FLAVOUR::detail

std::vector<float> create_hidden_layer(std::size_t, std::span<const float> greyscales, std::span<const float> weights) {
  gs::to_device(weights);
  return gs::to_device(greyscales).copy_to_host();
}
