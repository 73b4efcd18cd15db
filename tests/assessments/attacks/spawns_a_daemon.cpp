// expect: refused
// Leaves a process behind that nobody waits for.

#include <unistd.h>

#include "assessments/A1_neural_layer/task.h"

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  if (fork() == 0) {
    setsid();
    if (fork() == 0)
      for (;;) sleep(1);
    _exit(0);
  }
  return std::vector<float>(n);
}
