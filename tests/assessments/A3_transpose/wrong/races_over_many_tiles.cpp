// expect: race, graded whole
// A hundred blocks carry all tiles: one that has a second tile begins it while the first is still being read.

#include "assessments/A3_transpose/task.h"

#include <algorithm>

constexpr unsigned side = 32, rows_at_once = 8;
struct padded {
  gs::tile<float, side, side + 1> values;
};

GS_FN void transpose_tiles(gs::thread t, gs::shared<padded> tile, gs::view<const float, 2> in, gs::view<float, 2> out) {
  const unsigned x = t.thread_idx().x, y = t.thread_idx().y;
  const std::size_t across = (in.extent(1) + side - 1) / side, down = (in.extent(0) + side - 1) / side;
  for (std::size_t number = t.block_idx().x; number < across * down; number += t.grid_dim().x) {
    const std::size_t top = side * (number / across), left = side * (number % across);
    for (unsigned k = y; k < side; k += rows_at_once)
      if (top + k < in.extent(0) && left + x < in.extent(1)) tile->values(k, x) = in(top + k, left + x);
    t.sync();
    for (unsigned k = y; k < side; k += rows_at_once)
      if (left + k < out.extent(0) && top + x < out.extent(1)) out(left + k, top + x) = tile->values(x, k);
  }
}

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  if (in.size() == 0) return;
  const std::size_t tiles = (in.extent(0) + side - 1) / side * ((in.extent(1) + side - 1) / side);
  gs::launch<transpose_tiles>({.grid = std::min<std::size_t>(100, tiles), .block = {side, rows_at_once}}, in, out);
}
