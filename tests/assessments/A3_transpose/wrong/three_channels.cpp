// expect: finding or outside_output or wrong_answer
// Red, green and blue: a picture with more channels loses them.

#include "assessments/A3_transpose/task.h"

constexpr unsigned side = 32, rows_at_once = 8;

GS_FN void transpose_tiles(gs::thread t, gs::dynamic_shared<float> tile, gs::view<const float, 3> in,
                           gs::view<float, 3> out) {
  const std::size_t channels = 3, pitch = (side + 1) * channels;
  const std::size_t top = std::size_t{side} * t.block_idx().y, left = std::size_t{side} * t.block_idx().x;
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

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  if (in.size() == 0) return;
  const auto tiles = [](std::size_t n) { return (n + side - 1) / side; };
  gs::launch<transpose_tiles>({.grid = {tiles(in.extent(1)), tiles(in.extent(0))},
                               .block = {side, rows_at_once},
                               .shared_bytes = side * (side + 1) * 3 * sizeof(float)},
                              in, out);
}
