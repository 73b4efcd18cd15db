#include "bench/peers/peers.h"

namespace bench::peers {
namespace {

// A row of a product, 32 numbers at a time in registers.
void multiply_row(const float* row, const float* b, float* out, std::size_t side) {
  constexpr std::size_t strip = 32;
  std::size_t j = 0;
  for (; j + strip <= side; j += strip) {
    float sum[strip] = {};
    for (std::size_t k = 0; k < side; ++k)
      for (std::size_t x = 0; x < strip; ++x) sum[x] += row[k] * b[k * side + j + x];
    for (std::size_t x = 0; x < strip; ++x) out[j + x] = sum[x];
  }
  for (; j < side; ++j) {
    float sum = 0;
    for (std::size_t k = 0; k < side; ++k) sum += row[k] * b[k * side + j];
    out[j] = sum;
  }
}

}  // namespace

void matmul_of_each(std::span<const float> a, std::span<const float> b, std::span<float> c, std::size_t side) {
  const std::size_t size = side * side;
#pragma omp parallel for schedule(static)
  for (std::size_t at = 0; at < c.size(); at += size)
    for (std::size_t i = at; i < at + size; i += side) multiply_row(&a[i], &b[at], &c[i], side);
}

}  // namespace bench::peers
