// expect: refused
// Answers in the runner's place, ahead of it, with packets of all sizes.

#include <unistd.h>

#include "assessments/A1_neural_layer/task.h"

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  std::vector<char> packet(1 << 16, 0);
  for (std::size_t bytes = 1; bytes <= packet.size(); bytes *= 2) write(3, packet.data(), bytes);
  return std::vector<float>(n);
}
