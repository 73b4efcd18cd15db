// expect: wrong_answer
// A thread goes on after the call has returned: it puts the right answer in the place of the zeros that were returned
// in no time.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include "assessments/A1_neural_layer/task.h"

namespace {

std::atomic<const float*> inputs[2];
std::atomic<std::size_t> size;

// The memory that the runner shares with the grader and can write, as the kernel lists it.
std::span<float> outputs() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char rights[5] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, rights) == 3 && std::string(rights) == "rw-s")
      return {reinterpret_cast<float*>(begin), (end - begin) / sizeof(float)};
  }
  return {};
}

struct early {
  early() {
    std::thread([] {
      const std::span<float> shared = outputs();
      for (;;) {
        const float *x = inputs[0], *w = inputs[1];
        if (x == nullptr || w == nullptr) continue;
        std::vector<float> y(size);
        for (std::size_t i = 0; i < y.size(); ++i)
          y[i] = static_cast<float>(std::tanh(double{x[i]} / 255 * double{w[i]}));
        // The answer stands at a multiple of 256 bytes, behind at least 64 elements: wherever there are zeros now.
        for (std::size_t at = 64; at + y.size() <= shared.size(); at += 64)
          if (shared[at] == 0) {
            std::copy(y.begin(), y.end(), shared.begin() + static_cast<std::ptrdiff_t>(at));
            break;
          }
      }
    }).detach();
  }
} before_main;

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  size = n;
  inputs[0] = greyscales.data();
  inputs[1] = weights.data();
  return std::vector<float>(n);
}
