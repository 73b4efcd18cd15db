// expect: race, graded whole
// Goes on to the next tile while others still read this one.

#include "assessments/A3_transpose/task.h"

constexpr unsigned side = 32;
struct padded {
  gs::tile<float, side, side + 1> values;
};

GS_FN void transpose_tiles(gs::thread t, gs::shared<padded> tile, gs::view<const float, 2> in, gs::view<float, 2> out) {
  const unsigned x = t.thread_idx().x, y = t.thread_idx().y;
  const std::size_t left = std::size_t{side} * t.block_idx().x;
  for (std::size_t top = 0; top < in.extent(0); top += side) {
    if (top + y < in.extent(0) && left + x < in.extent(1)) tile->values(y, x) = in(top + y, left + x);
    t.sync();
    if (left + y < out.extent(0) && top + x < out.extent(1)) out(left + y, top + x) = tile->values(x, y);
  }
}

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  if (in.size() == 0) return;
  gs::launch<transpose_tiles>({.grid = (in.extent(1) + side - 1) / side, .block = {side, side}}, in, out);
}
