// expect: compile_error
// Includes a file of the system: the compiler's messages would show it.

#include "assessments/A1_neural_layer/task.h"

#include "/etc/passwd"

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  return std::vector<float>(n);
}
