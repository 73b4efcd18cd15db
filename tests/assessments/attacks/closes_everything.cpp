// expect: timed_out, ended, refused
// Closes all its descriptors, the channel too.

#include <unistd.h>

#include "assessments/A1_neural_layer/task.h"

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  for (int k = 0; k < 256; ++k) close(k);
  return std::vector<float>(n);
}
