// A product of matrices by tiles in shared memory, behind the guard that courses write: vectorised.sh checks whether
// g++ knows that all threads have the tiles at the same place, and makes vectors of the loop between the barriers.

#include "dialect/cuda_language.h"

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  constexpr int side = 16;
  float(&left)[side][side] = ::dialect::shared_variable<float[side][side]>([] {});
  float(&right)[side][side] = ::dialect::shared_variable<float[side][side]>([] {});
  int column = blockIdx.x * side + threadIdx.x, row = blockIdx.y * side + threadIdx.y;
  if (row < n && column < n) {
    float sum = 0;
    for (int k = 0; k < n; k += side) {
      left[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
      right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
      __syncthreads();
      for (int j = 0; j < side; j++) sum += left[threadIdx.y][j] * right[j][threadIdx.x];
      __syncthreads();
    }
    c[row * n + column] = sum;
  }
}

void launch_it(const float* a, const float* b, float* c, int n) {
  const dialect::configuration asked(dim3(32, 32), dim3(16, 16));
  dialect::configured<&multiply>("multiply", asked)(a, b, c, n);
}
