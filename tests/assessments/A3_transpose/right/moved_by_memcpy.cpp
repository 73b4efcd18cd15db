// Moves the bits by memcpy, which keeps a NaN as it is on any processor.

#include "assessments/A3_transpose/task.h"

#include <cstring>

constexpr unsigned side = 32, rows_at_once = 8;
struct padded {
  gs::tile<unsigned, side, side + 1> values;
};

GS_FN void transpose_tiles(gs::thread t, gs::shared<padded> tile, gs::view<const float, 2> in, gs::view<float, 2> out) {
  const unsigned x = t.thread_idx().x, y = t.thread_idx().y;
  const std::size_t top = std::size_t{side} * t.block_idx().y, left = std::size_t{side} * t.block_idx().x;
  for (unsigned k = y; k < side; k += rows_at_once)
    if (top + k < in.extent(0) && left + x < in.extent(1))
      std::memcpy(&tile->values(k, x), &in(top + k, left + x), sizeof(float));
  t.sync();
  for (unsigned k = y; k < side; k += rows_at_once)
    if (left + k < out.extent(0) && top + x < out.extent(1))
      std::memcpy(&out(left + k, top + x), &tile->values(x, k), sizeof(float));
}

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  if (in.size() == 0) return;
  const auto tiles = [](std::size_t n) { return (n + side - 1) / side; };
  gs::launch<transpose_tiles>({.grid = {tiles(in.extent(1)), tiles(in.extent(0))}, .block = {side, rows_at_once}}, in,
                              out);
}
