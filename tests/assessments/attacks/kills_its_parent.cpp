// expect: refused
// Kills the process that waits for it.

#include <unistd.h>
#include <csignal>

#include "assessments/A1_neural_layer/task.h"

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  kill(getppid(), SIGKILL);
  return std::vector<float>(n);
}
