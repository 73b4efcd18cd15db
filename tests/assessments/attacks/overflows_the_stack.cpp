// expect: crashed
// Calls itself until there is no stack left.

#include "assessments/A1_neural_layer/task.h"

namespace {

int deeper(volatile int* above) {
  volatile int here[1024] = {};
  here[0] = above[0] + 1;
  return deeper(here) + here[0];
}

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  volatile int start[1] = {};
  return std::vector<float>(n, static_cast<float>(deeper(start)));
}
