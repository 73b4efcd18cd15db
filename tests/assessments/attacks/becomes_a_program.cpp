// expect: refused, ended, crashed
// Becomes another program that says what the grader wants to hear.

#include <unistd.h>

#include "assessments/A1_neural_layer/task.h"

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  execl("/bin/echo", "echo", "PASS", nullptr);
  return std::vector<float>(n);
}
