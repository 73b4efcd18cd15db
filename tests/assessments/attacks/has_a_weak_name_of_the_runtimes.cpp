// expect: refused
// Puts a weak function of its own beside those of the runtime.

#include "assessments/A1_neural_layer/task.h"

namespace gs::inline GS_FLAVOUR {
__attribute__((weak)) void nobody_has_me() {}
}  // namespace gs::inline GS_FLAVOUR

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  gs::nobody_has_me();
  return std::vector<float>(n);
}
