// expect: refused, ended
// Answers before the runner has read its first question.

#include <unistd.h>

#include "assessments/A1_neural_layer/task.h"

namespace {

struct early {
  early() {
    std::vector<char> packet(4096, 0);
    for (int k = 0; k < 100; ++k) write(3, packet.data(), packet.size());
  }
} before_main;

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  return std::vector<float>(n);
}
