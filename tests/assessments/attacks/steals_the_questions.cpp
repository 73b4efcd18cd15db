// expect: timed_out, wrong_answer
// Reads the runner's questions from the channel before it can.

#include <unistd.h>
#include <thread>

#include "assessments/A1_neural_layer/task.h"

namespace {

struct early {
  early() {
    std::thread([] {
      std::vector<char> packet(1 << 16);
      while (read(3, packet.data(), packet.size()) >= 0) continue;
    }).detach();
  }
} before_main;

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  return std::vector<float>(n);
}
