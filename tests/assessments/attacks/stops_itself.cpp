// expect: timed_out
// Stops its own process: nothing that it could be asked is answered.

#include <csignal>

#include "assessments/A1_neural_layer/task.h"

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  raise(SIGSTOP);
  return std::vector<float>(n);
}
