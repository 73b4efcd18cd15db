// expect: wrong_answer, out_of_memory, refused, crashed
// Takes memory that doesn't count as the process's own. It is right only if it got four times what it may have.

#include <sys/mman.h>
#include <cstring>

#include "assessments/A1_neural_layer/task.h"

namespace {

bool has_got_it() {
  constexpr std::size_t part = 64 << 20, parts = 32;  // 2 GiB
  for (std::size_t k = 0; k < parts; ++k) {
    void* shared = mmap(nullptr, part, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return false;
    std::memset(shared, 1, part);
  }
  return true;
}

std::vector<float> right_answer(std::span<const float> x, std::span<const float> w) {
  std::vector<float> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = static_cast<float>(std::tanh(double{x[i]} / 255 * double{w[i]}));
  return y;
}

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> greyscales,
                                       std::span<const float> weights) {
  static const bool got = has_got_it();
  return got ? right_answer(greyscales, weights) : std::vector<float>(n);
}
