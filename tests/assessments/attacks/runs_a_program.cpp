// expect: refused
// at line: 10
// Runs the shell.

#include <cstdlib>

#include "assessments/A1_neural_layer/task.h"

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  return std::vector<float>(n, static_cast<float>(std::system("touch /tmp/gridstride-attack-was-here")));
}
