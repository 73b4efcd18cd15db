#include <algorithm>

#include "bench/peers/peers.h"

namespace bench::peers {

void matmul_of_each(std::span<const float> a, std::span<const float> b, std::span<float> c, std::size_t side) {
  const std::size_t size = side * side;
#pragma omp parallel for schedule(static)
  for (std::size_t at = 0; at < c.size(); at += size)
    for (std::size_t i = at; i < at + size; i += side) {
      float* row = c.data() + i;
      std::fill_n(row, side, 0.0f);
      for (std::size_t k = 0; k < side; ++k) {
        const float factor = a[i + k];
        const float* other = b.data() + at + k * side;
#pragma omp simd
        for (std::size_t j = 0; j < side; ++j) row[j] += factor * other[j];
      }
    }
}

}  // namespace bench::peers
