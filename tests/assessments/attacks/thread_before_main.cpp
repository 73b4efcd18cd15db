// expect: refused
// Starts a thread while it is being loaded; the thread answers whatever is asked.

#include <unistd.h>
#include <chrono>
#include <thread>

#include "assessments/A1_neural_layer/task.h"

namespace {

struct early {
  early() {
    std::thread([] {
      std::vector<char> packet(4096, 0);
      for (;;) {
        write(3, packet.data(), packet.size());
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }).detach();
  }
} before_main;

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return std::vector<float>(n);
}
