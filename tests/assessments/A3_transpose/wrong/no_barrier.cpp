// expect: race, graded whole
// Reads the tile without waiting for those who fill it.

#include "assessments/A3_transpose/task.h"

constexpr unsigned side = 32;
struct padded {
  gs::tile<float, side, side + 1> values;
};

GS_FN void transpose_tiles(gs::thread t, gs::shared<padded> tile, gs::view<const float, 2> in, gs::view<float, 2> out) {
  const unsigned x = t.thread_idx().x, y = t.thread_idx().y;
  const std::size_t top = std::size_t{side} * t.block_idx().y, left = std::size_t{side} * t.block_idx().x;
  if (top + y < in.extent(0) && left + x < in.extent(1)) tile->values(y, x) = in(top + y, left + x);
  if (left + y < out.extent(0) && top + x < out.extent(1)) out(left + y, top + x) = tile->values(x, y);
}

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  if (in.size() == 0) return;
  const auto tiles = [](std::size_t n) { return (n + side - 1) / side; };
  gs::launch<transpose_tiles>({.grid = {tiles(in.extent(1)), tiles(in.extent(0))}, .block = {side, side}}, in, out);
}
