#include <algorithm>

#include "bench/peers/peers.h"

namespace bench::peers {

void matmul(std::span<const float> a, std::span<const float> b, std::span<float> c, std::size_t side) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < side; ++i) {
    float* row = c.data() + i * side;
    std::fill_n(row, side, 0.0f);
    for (std::size_t k = 0; k < side; ++k) {
      const float factor = a[i * side + k];
      const float* other = b.data() + k * side;
#pragma omp simd
      for (std::size_t j = 0; j < side; ++j) row[j] += factor * other[j];
    }
  }
}

}  // namespace bench::peers
