#include <cmath>

#include "bench/peers/peers.h"

namespace bench::peers {

void l2_norm(std::span<const float> x, std::size_t columns, std::span<float> out) {
  const float* in = x.data();
  float* norm = out.data();
  const std::size_t rows = out.size();
  if (columns == 2) {  // short rows: vectors run across them
#pragma omp parallel for simd schedule(static)
    for (std::size_t r = 0; r < rows; ++r) norm[r] = std::sqrt(in[2 * r] * in[2 * r] + in[2 * r + 1] * in[2 * r + 1]);
    return;
  }
#pragma omp parallel for schedule(static)
  for (std::size_t r = 0; r < rows; ++r) {
    const float* row = in + r * columns;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < columns; ++i) sum += row[i] * row[i];
    norm[r] = std::sqrt(sum);
  }
}

}  // namespace bench::peers
