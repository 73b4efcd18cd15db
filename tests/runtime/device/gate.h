#pragma once
// A gate: a kernel on the engine waits at it until the test opens it. Order is tested by gates, never by time.

#include <atomic>
#include <chrono>
#include <thread>

#include "runtime/gs.h"

namespace runtime_test {

/// Gates a kernel can name by number; a kernel has no other way to the test's memory.
inline std::atomic<bool> gate_open[8];
inline std::atomic<int> gate_reached[8];

/// Waits until gate `g` is open. For one thread of a launch.
inline void gate_kernel(gs::thread, int g) {
  ++gate_reached[g];
  while (!gate_open[g]) std::this_thread::sleep_for(std::chrono::microseconds(50));
}

/// Waits until a kernel stands at gate `g`; false if none came within 20 seconds.
inline bool reached(int g) {
  for (int i = 0; i < 20'000; ++i) {
    if (gate_reached[g] > 0) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

/// Closes all gates at the start of a test and opens them at its end, so that nothing is left waiting.
class gates {
 public:
  gates() {
    for (int g = 0; g < 8; ++g) gate_open[g] = false, gate_reached[g] = 0;
  }
  ~gates() {
    for (auto& g : gate_open) g = true;
    try {
      gs::synchronize();
    } catch (const std::exception&) {  // the test has looked at the error it provoked
    }
  }
  gates(const gates&) = delete;
  gates& operator=(const gates&) = delete;
  void open(int g) { gate_open[g] = true; }
};

inline void close_at(const gs::stream& s, int g) { gs::launch<gate_kernel>({.stream = s}, g); }

}  // namespace runtime_test
