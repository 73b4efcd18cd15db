// expect: wrong_answer
// Transposes a matrix of single floats, and with it every pixel.

#include "assessments/A3_transpose/task.h"

constexpr unsigned side = 32, rows_at_once = 8;
struct padded {
  gs::tile<float, side, side + 1> values;
};

GS_FN void transpose_tiles(gs::thread t, gs::shared<padded> tile, gs::view<const float, 2> in, gs::view<float, 2> out) {
  const unsigned x = t.thread_idx().x, y = t.thread_idx().y;
  const std::size_t top = std::size_t{side} * t.block_idx().y, left = std::size_t{side} * t.block_idx().x;
  for (unsigned k = y; k < side; k += rows_at_once)
    if (top + k < in.extent(0) && left + x < in.extent(1)) tile->values(k, x) = in(top + k, left + x);
  t.sync();
  for (unsigned k = y; k < side; k += rows_at_once)
    if (left + k < out.extent(0) && top + x < out.extent(1)) out(left + k, top + x) = tile->values(x, k);
}

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  if (in.size() == 0) return;
  const auto rows = static_cast<std::ptrdiff_t>(in.extent(0));
  const auto tiles = [](std::size_t n) { return (n + side - 1) / side; };
  gs::launch<transpose_tiles>(
      {.grid = {tiles(in.extent(1) * in.extent(2)), tiles(in.extent(0))}, .block = {side, rows_at_once}},
      in.reshape({rows, -1}), out.reshape({-1, rows}));
}
