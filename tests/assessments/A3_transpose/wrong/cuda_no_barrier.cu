// expect: race, graded whole
// CUDA C++ without the barrier between writing the tile and reading it.

#include "assessments/A3_transpose/task.h"

constexpr unsigned side = 32, rows_at_once = 8;

__global__ void transpose_tiles(const float* in, float* out, std::size_t rows, std::size_t columns,
                                std::size_t channels) {
  extern __shared__ float tile[];
  const std::size_t pitch = (side + 1) * channels;
  const std::size_t top = std::size_t{side} * blockIdx.y, left = std::size_t{side} * blockIdx.x;
  const std::size_t height = rows - top < side ? rows - top : side;
  const std::size_t width = columns - left < side ? columns - left : side;
  for (std::size_t y = threadIdx.y; y < height; y += rows_at_once)
    for (std::size_t k = threadIdx.x; k < width * channels; k += side)
      tile[y * pitch + k] = in[((top + y) * columns + left) * channels + k];
  // no barrier
  for (std::size_t x = threadIdx.y; x < width; x += rows_at_once)
    for (std::size_t k = threadIdx.x; k < height * channels; k += side)
      out[((left + x) * rows + top) * channels + k] = tile[k / channels * pitch + x * channels + k % channels];
}

void transpose(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  if (in.size() == 0) return;
  const auto rows = in.extent(0), columns = in.extent(1), channels = in.extent(2);
  const dim3 grid((columns + side - 1) / side, (rows + side - 1) / side), block(side, rows_at_once);
  transpose_tiles<<<grid, block, side*(side + 1) * channels * sizeof(float)>>>(in.data(), out.data(), rows, columns,
                                                                               channels);
}
