// expect: refused
// Has operators new and delete of its own.

#include "assessments/A1_neural_layer/task.h"

void* operator new(std::size_t) { return nullptr; }
void operator delete(void*) noexcept {}
void operator delete(void*, std::size_t) noexcept {}

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  return std::vector<float>(n);
}
