// expect: ended
// Ends the process while it is being loaded, with the status of success.

#include <unistd.h>
#include <cstdio>

#include "assessments/A1_neural_layer/task.h"

namespace {

struct early {
  early() {
    std::puts("PASS");
    std::fflush(stdout);
    _exit(0);
  }
} before_main;

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  return std::vector<float>(n);
}
