// expect: refused
// Has clocks of its own that stand still.

#include <chrono>
#include <ctime>
#include <thread>

#include "assessments/A1_neural_layer/task.h"

extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t, timespec* now) noexcept {
  *now = {};
  return 0;
}

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return std::vector<float>(n);
}
