// expect: compile_error
// Includes the grader.

#include "assessments/A1_neural_layer/task.h"

#include "../../../assessments/grader/verdict/verdict.h"

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  return std::vector<float>(n);
}
