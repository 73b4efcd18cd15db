// expect: race, graded whole
// A hundred blocks carry all tiles: one that has a second tile begins it while the first is still being read.

#include "assessments/A3_transpose/task.h"

#include <algorithm>

constexpr unsigned side = 32, rows_at_once = 8;

GS_FN void transpose_tiles(gs::thread t, gs::dynamic_shared<float> tile, gs::view<const float, 3> in,
                           gs::view<float, 3> out) {
  const std::size_t channels = in.extent(2), pitch = (side + 1) * channels;
  const std::size_t across = (in.extent(1) + side - 1) / side, down = (in.extent(0) + side - 1) / side;
  for (std::size_t number = t.block_idx().x; number < across * down; number += t.grid_dim().x) {
    const std::size_t top = side * (number / across), left = side * (number % across);
    const std::size_t height = in.extent(0) - top < side ? in.extent(0) - top : side,
                      width = in.extent(1) - left < side ? in.extent(1) - left : side;
    for (std::size_t y = t.thread_idx().y; y < height; y += rows_at_once)
      for (std::size_t k = t.thread_idx().x; k < width * channels; k += side)
        tile[y * pitch + k] = in(top + y, left + k / channels, k % channels);
    t.sync();
    for (std::size_t x = t.thread_idx().y; x < width; x += rows_at_once)
      for (std::size_t k = t.thread_idx().x; k < height * channels; k += side)
        out(left + x, top + k / channels, k % channels) = tile[k / channels * pitch + x * channels + k % channels];
  }
}

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  if (in.size() == 0) return;
  const auto tiles = [](std::size_t n) { return (n + side - 1) / side; };
  gs::launch<transpose_tiles>({.grid = std::min<std::size_t>(100, tiles(in.extent(1)) * tiles(in.extent(0))),
                               .block = {side, rows_at_once},
                               .shared_bytes = side * (side + 1) * in.extent(2) * sizeof(float)},
                              in, out);
}
