// expect: outside_output, crashed, wrong_answer
// Overwrites all memory it shares with the grader.

#include <sys/mman.h>
#include <cstring>

#include "assessments/A1_neural_layer/task.h"

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  void* outputs = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 5, 0);
  if (outputs != MAP_FAILED) std::memset(outputs, 0, 4096);
  return std::vector<float>(n);
}
