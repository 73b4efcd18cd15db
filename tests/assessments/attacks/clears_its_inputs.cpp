// expect: wrong_answer
// Makes all its inputs zero, through the kernel's door to its memory, which knows no read-only pages: the answer is
// zero.

#include <fcntl.h>
#include <unistd.h>

#include "assessments/A1_neural_layer/task.h"

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  const std::vector<float> zeros(n);
  const int memory = open("/proc/self/mem", O_RDWR);
  for (const std::span<const float> input : {greyscales, weights})
    (void)!pwrite(memory, zeros.data(), input.size_bytes(), reinterpret_cast<off_t>(input.data()));
  close(memory);
  return zeros;
}
