// expect: compile_error, timed_out, out_of_memory
// A small array, written down in the object file with all its 16 GiB.

#include "assessments/A1_neural_layer/task.h"

int table[1ull << 32] = {1};

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  return std::vector<float>(n, static_cast<float>(table[n]));
}
