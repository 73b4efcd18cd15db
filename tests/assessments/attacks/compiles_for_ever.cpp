// expect: compile_error, timed_out, out_of_memory
// A template that doubles itself.

#include "assessments/A1_neural_layer/task.h"

template <int depth, int side>
struct doubled {
  static constexpr long value = doubled<depth - 1, 2 * side>::value + doubled<depth - 1, 2 * side + 1>::value;
};
template <int side>
struct doubled<0, side> {
  static constexpr long value = side;
};

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  return std::vector<float>(n, static_cast<float>(doubled<28, 0>::value));
}
