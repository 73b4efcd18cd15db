// expect: timed_out
// Waits for the grader to lose its patience.

#include <unistd.h>

#include "assessments/A1_neural_layer/task.h"

std::vector<float> create_hidden_layer(std::size_t, std::span<const float>, std::span<const float>) {
  for (;;) pause();
}
