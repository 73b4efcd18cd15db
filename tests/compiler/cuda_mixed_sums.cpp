// Kernels whose indices are sums of ints and unsigned numbers, or of ints behind a condition: vectorised.sh checks
// whether g++ takes the elements of neighbouring threads for neighbours.

#include "dialect/cuda_language.h"

constexpr int tile = 32;

__global__ void copy_tiles(const float* in, float* out, int n) {
  const int top = blockIdx.y * tile, left = blockIdx.x * tile;
  out[top * n + left + threadIdx.y * n + threadIdx.x] = in[(top + threadIdx.y) * n + left + threadIdx.x];
}

__global__ void smooth(const float* in, float* out, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < 1 || column < 1 || row >= n - 1 || column >= n - 1) return;
  const int i = row * n + column;
  out[i] = 0.5f * in[i] + 0.125f * (in[i - n] + in[i + n] + in[i - 1] + in[i + 1]);
}

void launch_them(const float* in, float* out, int n) {
  const dialect::configuration asked(dim3(32, 32), dim3(32, 8));
  dialect::configured<&copy_tiles>("copy_tiles", asked)(in, out, n);
  dialect::configured<&smooth>("smooth", asked)(in, out, n);
}
