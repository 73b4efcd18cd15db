// expect: crashed, wrong_answer, ended
// Takes its inputs away.

#include <sys/mman.h>
#include <cstdint>

#include "assessments/A1_neural_layer/task.h"

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales, std::span<const float>) {
  const auto begin = reinterpret_cast<std::uintptr_t>(greyscales.data()) & ~std::uintptr_t{4095};
  munmap(reinterpret_cast<void*>(begin), 1 << 20);
  return std::vector<float>(n);
}
