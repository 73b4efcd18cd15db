// expect: refused
// Has a malloc of its own, which the runner would use.

#include "assessments/A1_neural_layer/task.h"

extern "C" __attribute__((visibility("default"))) void* malloc(std::size_t) { return nullptr; }

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  return std::vector<float>(n);
}
