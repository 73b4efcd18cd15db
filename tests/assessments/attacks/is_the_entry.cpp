// expect: refused
// Defines what the runner asks its module for, and answers in its own way.

#include "assessments/A1_neural_layer/task.h"

extern "C" __attribute__((visibility("default"))) void* gridstride_submission() { return nullptr; }

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  return std::vector<float>(n);
}
