// expect: refused
// Defines names of the C library where no compiler sees them.

#include "assessments/A1_neural_layer/task.h"

asm(".globl memcpy\n"
    ".type memcpy, @function\n"
    "memcpy:\n"
    "  ret\n");

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  return std::vector<float>(n);
}
