#pragma once
// The kernels whose bounds are compared with their times. Each is written plainly, for one thing that limits it.
//
// All sizes are multiples of 1,024 numbers, and of 32 rows and columns: so no warp is partly idle, and what a launch
// does can be written down (cases.h).

#include <cstddef>
#include <cstdint>

#include "runtime/gs.h"

namespace bench::bounds {

using numbers = gs::view<const float>;
using results = gs::view<float>;
using matrix = gs::view<const float, 2>;
using result_matrix = gs::view<float, 2>;

inline constexpr unsigned block_size = 256, edge = 32, rows_of_block = 8, bins = 256;

// --- memory ----------------------------------------------------------------------------------------------------------

GS_FN inline void copy(gs::thread t, numbers x, results y) { y[t.grid()] = x[t.grid()]; }

// Every eighth number: a sector for each.
inline constexpr std::size_t stride = 8;
GS_FN inline void copy_strided(gs::thread t, numbers x, results y) { y[t.grid()] = x[stride * t.grid()]; }

GS_FN inline void gather(gs::thread t, gs::view<const std::uint32_t> index, numbers x, results y) {
  y[t.grid()] = x[index[t.grid()]];
}

// --- transposes ------------------------------------------------------------------------------------------------------

GS_FN inline void transpose_naively(gs::thread t, matrix in, result_matrix out) {
  out(t.grid_x(), t.grid_y()) = in(t.grid_y(), t.grid_x());
}

template <unsigned width>
struct square_tile {
  gs::tile<float, edge, width> of;
};
template <unsigned width>
GS_FN void transpose_by_tiles(gs::thread t, gs::shared<square_tile<width>> s, matrix in, result_matrix out) {
  const unsigned x = t.thread_idx().x, y = t.thread_idx().y;
  const std::size_t left = std::size_t{edge} * t.block_idx().x, top = std::size_t{edge} * t.block_idx().y;
  s->of(y, x) = in(top + y, left + x);
  t.sync();
  out(left + y, top + x) = s->of(x, y);
}

// --- sums and counts -------------------------------------------------------------------------------------------------

GS_FN inline void count(gs::thread t, gs::view<const std::uint32_t> bin, gs::view<std::uint32_t> counts) {
  gs::atomic_ref(counts[bin[t.grid()]]).fetch_add(1u);
}

struct sums_of_warps {
  gs::tile<float, block_size / gs::warp_size> of;
};
GS_FN inline float sum_of_warp(const gs::thread& t, float sum) {  // in lane 0
  for (unsigned below = gs::warp_size / 2; below > 0; below /= 2) sum += t.shuffle_down(sum, below);
  return sum;
}
GS_FN inline void reduce(gs::thread t, gs::shared<sums_of_warps> s, numbers x, results total) {
  float sum = 0;
  for (auto i : t.grid_stride(x.size())) sum += x[i];
  sum = sum_of_warp(t, sum);
  if (t.lane() == 0) s->of[t.warp()] = sum;
  t.sync();
  if (t.warp() > 0) return;
  sum = sum_of_warp(t, t.lane() < block_size / gs::warp_size ? s->of[t.lane()] : 0);
  if (t.lane() == 0) gs::atomic_ref(total[0]).fetch_add(sum);
}

// --- products of matrices --------------------------------------------------------------------------------------------

GS_FN inline void multiply_naively(gs::thread t, matrix a, matrix b, result_matrix c) {
  const std::size_t row = t.grid_y(), column = t.grid_x();
  float sum = 0;
  for (std::size_t k = 0; k < a.extent(1); ++k) sum += a(row, k) * b(k, column);
  c(row, column) = sum;
}

struct two_tiles {
  gs::tile<float, edge, edge> a, b;
};
GS_FN inline void multiply_by_tiles(gs::thread t, gs::shared<two_tiles> s, matrix a, matrix b, result_matrix c) {
  const unsigned x = t.thread_idx().x, y = t.thread_idx().y;
  const std::size_t row = t.grid_y(), column = t.grid_x();
  float sum = 0;
  for (std::size_t k = 0; k < a.extent(1); k += edge) {
    s->a(y, x) = a(row, k + x);
    s->b(y, x) = b(k + y, column);
    t.sync();
    for (unsigned i = 0; i < edge; ++i) sum += s->a(y, i) * s->b(i, x);
    t.sync();
  }
  c(row, column) = sum;
}

}  // namespace bench::bounds
