// expect: out_of_memory, crashed, wrong_answer
// Takes memory that isn't its own but the kernel's: for each two megabytes that it reads, a page that says where they
// lie. It is right only if it got a gigabyte.

#include <sys/mman.h>

#include "assessments/A1_neural_layer/task.h"

namespace {

bool filled() {
  constexpr std::size_t reach = std::size_t{1} << 21, bytes = (std::size_t{1} << 18) * reach;
  void* const place = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return false;
  madvise(place, bytes, MADV_NOHUGEPAGE);
  for (std::size_t at = 0; at < bytes; at += reach) (void)*(static_cast<const volatile char*>(place) + at);
  return true;
}

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> x, std::span<const float> w) {
  static const bool got_it = filled();
  std::vector<float> y(n);
  for (std::size_t i = 0; got_it && i < n; ++i) y[i] = static_cast<float>(std::tanh(double{x[i]} / 255 * double{w[i]}));
  return y;
}
