#include "bench/peers/peers.h"

namespace bench::peers {

namespace {

// One row of the field; the two cells at its ends are done apart, so that the loop between has no condition.
template <bool KeepLaplacian>
void diffuse_row(const float* up, const float* u, const float* down, float* out, float* laplacian, std::size_t n,
                 float rate) {
  const auto cell = [=](std::size_t c, std::size_t left, std::size_t right) {
    const float curvature = up[c] + down[c] + u[left] + u[right] - 4 * u[c];
    out[c] = u[c] + rate * curvature;
    if constexpr (KeepLaplacian) laplacian[c] = curvature;
  };
  cell(0, 0, n > 1 ? 1 : 0);
  const std::size_t last = n - 1;
#pragma omp simd
  for (std::size_t c = 1; c < last; ++c) cell(c, c - 1, c + 1);
  if (n > 1) cell(last, last - 1, last);
}

}  // namespace

void diffuse(std::span<const float> u, std::span<float> out, std::span<float> laplacian, std::size_t n, float rate) {
  if (n == 0) return;
  const float* in = u.data();
  float *to = out.data(), *kept = laplacian.data();
#pragma omp parallel for schedule(static)
  for (std::size_t r = 0; r < n; ++r) {
    const float *row = in + r * n, *up = r > 0 ? row - n : row, *down = r + 1 < n ? row + n : row;
    if (kept)
      diffuse_row<true>(up, row, down, to + r * n, kept + r * n, n, rate);
    else
      diffuse_row<false>(up, row, down, to + r * n, nullptr, n, rate);
  }
}

}  // namespace bench::peers
