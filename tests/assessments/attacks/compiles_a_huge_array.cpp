// expect: compile_error, timed_out, out_of_memory
// An array that the compiler must compute, larger than memory.

#include <array>

#include "assessments/A1_neural_layer/task.h"

constexpr auto table = [] {
  std::array<unsigned, (1u << 29)> all = {};
  for (unsigned i = 0; i < all.size(); ++i) all[i] = i * i;
  return all;
}();

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  return std::vector<float>(n, static_cast<float>(table[n]));
}
