// expect: out_of_memory
// Takes all the memory there is.

#include "assessments/A1_neural_layer/task.h"

std::vector<float> create_hidden_layer(std::size_t, std::span<const float>, std::span<const float>) {
  std::vector<std::vector<char>> taken;
  for (;;) taken.emplace_back(16 << 20, 'x');
}
