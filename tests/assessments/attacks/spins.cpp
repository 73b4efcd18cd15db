// expect: timed_out
// Never comes back, and keeps every core busy.

#include <algorithm>
#include <atomic>
#include <thread>

#include "assessments/A1_neural_layer/task.h"

std::vector<float> create_hidden_layer(std::size_t, std::span<const float>, std::span<const float>) {
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> all;
  for (unsigned k = 0; k < cores; ++k)
    all.emplace_back([] {
      for (std::atomic<unsigned> i = 0;; ++i) continue;
    });
  return {};
}
