// expect: wrong_answer
// A thread goes on after the call has returned: it puts the right answer in the place of the zeros that were returned
// in no time.

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "assessments/A1_neural_layer/task.h"

namespace {

std::atomic<const float*> inputs[2];
std::atomic<std::size_t> size;

struct early {
  early() {
    std::thread([] {
      struct stat what = {};
      fstat(5, &what);
      const auto most = static_cast<std::size_t>(what.st_size);
      auto* shared = static_cast<float*>(mmap(nullptr, most, PROT_READ | PROT_WRITE, MAP_SHARED, 5, 0));
      for (;;) {
        const float *x = inputs[0], *w = inputs[1];
        if (x == nullptr || w == nullptr) continue;
        std::vector<float> y(size);
        for (std::size_t i = 0; i < y.size(); ++i)
          y[i] = static_cast<float>(std::tanh(double{x[i]} / 255 * double{w[i]}));
        // The answer stands at a multiple of 256 bytes, behind at least 64 elements: wherever there are zeros now.
        for (std::size_t at = 64; at + y.size() <= most / sizeof(float); at += 64)
          if (shared[at] == 0) {
            std::copy(y.begin(), y.end(), shared + at);
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
