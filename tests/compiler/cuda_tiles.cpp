// The product of matrices that every course on CUDA begins with, its indices ints: vectorised.sh checks whether g++
// takes the elements of neighbouring threads for neighbours in the loop that they go through together (thread_tiles).

#include "dialect/cuda_language.h"

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
  }
}

void launch_it(const float* a, const float* b, float* c, int n) {
  const dialect::configuration asked(dim3(32, 32), dim3(32, 8));
  dialect::configured<&multiply>("multiply", asked)(a, b, c, n);
}
