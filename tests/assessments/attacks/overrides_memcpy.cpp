// expect: refused
// Has a memcpy of its own: its answer passes through it.

#include "assessments/A1_neural_layer/task.h"

extern "C" __attribute__((visibility("default"))) void* memcpy(void* to, const void*, std::size_t) { return to; }

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  return std::vector<float>(n);
}
