// expect: compile_error
// stopped by: bubblewrap, namespaces, landlock
// Includes the reference that its answers are compared with.

#include "assessments/A1_neural_layer/task.h"

#include "assessments/A1_neural_layer/problem.cpp"

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  return std::vector<float>(n);
}
