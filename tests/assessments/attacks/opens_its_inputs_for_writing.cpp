// expect: wrong_answer
// Tries every way to make its inputs writable; if one works, zeros are the right answer.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <csignal>
#include <cstdint>
#include <cstring>

#include "assessments/A1_neural_layer/task.h"

namespace {

bool has_written(std::span<const float> x) {
  std::signal(SIGXFSZ, SIG_IGN);
  const auto begin = reinterpret_cast<std::uintptr_t>(x.data()) & ~std::uintptr_t{4095};
  const std::size_t bytes = x.size_bytes() + 4096;
  void* writable = MAP_FAILED;
  if (mprotect(reinterpret_cast<void*>(begin), bytes, PROT_READ | PROT_WRITE) == 0)
    writable = reinterpret_cast<void*>(begin);
  if (writable == MAP_FAILED) writable = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
  if (const int again = open("/proc/self/fd/4", O_RDWR); writable == MAP_FAILED && again >= 0)
    writable = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, again, 0);
  const std::vector<char> zeros(bytes, 0);
  if (pwrite(4, zeros.data(), bytes, 0) > 0 || ftruncate(4, 0) == 0 || ftruncate(4, 1ll << 40) == 0) return true;
  if (fallocate(4, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes)) == 0) return true;
  if (writable == MAP_FAILED) return false;
  std::memset(writable, 0, bytes);
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
  if (n > 0 && has_written(greyscales)) return right_answer(greyscales, weights);
  return std::vector<float>(n);
}
