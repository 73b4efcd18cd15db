// expect: refused
// A process of its own with the same memory: it would go on when the grader stops the submission to look at its answer.

#include <sched.h>
#include <unistd.h>

#include "assessments/A1_neural_layer/task.h"

namespace {

int go_on(void*) {
  for (;;) pause();
}

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  static char stack[1 << 16];
  clone(go_on, stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES, nullptr);
  return std::vector<float>(n);
}
