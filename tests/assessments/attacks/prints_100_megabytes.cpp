// expect: wrong_answer, timed_out
// Floods the process that keeps its output.

#include <cstdio>
#include <string>

#include "assessments/A1_neural_layer/task.h"

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  const std::string line(1 << 20, 'x');
  for (int k = 0; k < 100; ++k) std::fwrite(line.data(), 1, line.size(), k % 2 == 0 ? stdout : stderr);
  return std::vector<float>(n);
}
