// CUDA C++: as the solution, with a thread for each number of a tile.

#include <algorithm>

#include "runtime/gs.h"

constexpr unsigned side = 32;  // of a tile and of a block

__global__ void swap_tiles(float* m, int n) {
  __shared__ float right[side][side + 1], left[side][side + 1];
  const int x = side * blockIdx.x, y = side * blockIdx.y, row = threadIdx.y, column = threadIdx.x;
  if (x < y) return;  // the block on the other side of the diagonal does the work for both
  if (y + row < n && x + column < n) right[row][column] = m[(y + row) * n + x + column];
  if (x + row < n && y + column < n) left[row][column] = m[(x + row) * n + y + column];
  __syncthreads();
  if (x + row < n && y + column < n) m[(x + row) * n + y + column] = right[column][row];
  if (y + row < n && x + column < n && x != y) m[(y + row) * n + x + column] = left[column][row];
}

void transpose_in_place(const gs::device_array<float>& m) {
  const unsigned tiles = std::max<unsigned>(1, (m.extent(0) + side - 1) / side);
  swap_tiles<<<dim3(tiles, tiles), dim3(side, side)>>>(m.data(), static_cast<int>(m.extent(0)));
}
