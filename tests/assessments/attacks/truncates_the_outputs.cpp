// expect: outside_output, wrong_answer
// Shrinks the memory it shares with the grader, which would crash when it reads there.

#include <fcntl.h>
#include <unistd.h>

#include "assessments/A1_neural_layer/task.h"

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  ftruncate(5, 0);
  ftruncate(4, 0);
  fallocate(5, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1 << 20);
  return std::vector<float>(n);
}
