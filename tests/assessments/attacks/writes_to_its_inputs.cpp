// expect: crashed, changed_input
// Writes to its inputs, so that zeros are the right answer.

#include "assessments/A1_neural_layer/task.h"

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales, std::span<const float>) {
  for (const float& x : greyscales) const_cast<float&>(x) = 0;
  return std::vector<float>(n);
}
