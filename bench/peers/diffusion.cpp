#include <algorithm>

#include "bench/peers/peers.h"

namespace bench::peers {

namespace {

// One row of the field; the two cells at its ends are computed separately, so that the loop between has no condition.
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

// Cells [begin, end) of a row; at an end of the field, its last cell is its own neighbour.
void diffuse_part(const float* up, const float* u, const float* down, float* out, std::size_t begin, std::size_t end,
                  bool at_left, bool at_right, float rate) {
  const auto cell = [=](std::size_t c, std::size_t left, std::size_t right) {
    out[c] = u[c] + rate * (up[c] + down[c] + u[left] + u[right] - 4 * u[c]);
  };
  const std::size_t last = end - 1;
  if (at_left && at_right && begin == last) return cell(begin, begin, begin);
  if (at_left) cell(begin, begin, begin + 1);
  if (at_right) cell(last, last - 1, last);
#pragma omp simd
  for (std::size_t c = begin + at_left; c < end - at_right; ++c) cell(c, c - 1, c + 1);
}

// Does all steps on the way down a strip of columns: step j, one row behind step j - 1, keeps its last three rows.
constexpr std::size_t most_steps = 8, strip = 256, rows_of_a_band = 250;
void diffuse_strip(const float* u, float* out, std::size_t n, std::size_t steps, float rate, std::size_t top,
                   std::size_t left) {
  alignas(64) float recent_rows[most_steps][3][16 + strip + 2 * most_steps];
  const std::size_t bottom = std::min(top + rows_of_a_band, n), right = std::min(left + strip, n);
  const std::size_t from = left - std::min(left, steps), to = std::min(right + steps, n);
  const auto row_after = [&](std::size_t j, std::size_t r) {  // its column `from`
    return j == 0 ? u + r * n + from : &recent_rows[j][r % 3][16];
  };
  for (std::size_t newest = top - std::min(top, steps - 1); newest < bottom + steps - 1; ++newest) {
    if (newest + 4 < n)
      for (std::size_t c = from; c < to; c += 16) __builtin_prefetch(u + (newest + 4) * n + c);
    for (std::size_t j = 1; j <= steps; ++j) {
      const std::size_t halo = steps - j, r = newest + 1 - j;
      if (newest + 1 < j + top - std::min(top, halo)) break;
      if (r >= std::min(bottom + halo, n)) continue;
      const std::size_t begin = left - std::min(left, halo), end = std::min(right + halo, n);
      diffuse_part(row_after(j - 1, r > 0 ? r - 1 : 0), row_after(j - 1, r), row_after(j - 1, std::min(r + 1, n - 1)),
                   j < steps ? &recent_rows[j][r % 3][16] : out + r * n + from, begin - from, end - from, begin == 0,
                   end == n, rate);
    }
  }
}

}  // namespace

void diffuse_steps(std::span<const float> u, std::span<float> out, std::size_t n, std::size_t steps, float rate) {
  const float* in = u.data();
  float* to = out.data();
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (std::size_t top = 0; top < n; top += rows_of_a_band)
    for (std::size_t left = 0; left < n; left += strip) diffuse_strip(in, to, n, steps, rate, top, left);
}

void diffuse(std::span<const float> u, std::span<float> out, std::span<float> laplacian, std::size_t n, float rate) {
  if (n == 0) return;
  const float* in = u.data();
  float *to = out.data(), *laplacian_out = laplacian.data();
#pragma omp parallel for schedule(static)
  for (std::size_t r = 0; r < n; ++r) {
    const float *row = in + r * n, *up = r > 0 ? row - n : row, *down = r + 1 < n ? row + n : row;
    if (laplacian_out)
      diffuse_row<true>(up, row, down, to + r * n, laplacian_out + r * n, n, rate);
    else
      diffuse_row<false>(up, row, down, to + r * n, nullptr, n, rate);
  }
}

}  // namespace bench::peers
