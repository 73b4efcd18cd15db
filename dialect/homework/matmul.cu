// The product of two square matrices by tiles in shared memory, as courses of CUDA hand it out: one barrier is missing.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int tile = 16;

__global__ void matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[tile][tile];
  __shared__ float tile_b[tile][tile];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * tile + ty, column = blockIdx.x * tile + tx;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    tile_a[ty][tx] = a[row * n + k + tx];
    tile_b[ty][tx] = b[(k + ty) * n + column];
    __syncthreads();
    for (int i = 0; i < tile; ++i) sum += tile_a[ty][i] * tile_b[i][tx];
  }
  c[row * n + column] = sum;
}

int main() {
  const int n = 64;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = i % 7;
    b[i] = i % 5;
  }
  float *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, n * n * sizeof(float));
  cudaMalloc(&d_b, n * n * sizeof(float));
  cudaMalloc(&d_c, n * n * sizeof(float));
  cudaMemcpy(d_a, a.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  matmul<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(d_a, d_b, d_c, n);
  cudaMemcpy(c.data(), d_c, n * n * sizeof(float), cudaMemcpyDeviceToHost);

  int wrong = 0;
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * n + column];
      wrong += c[row * n + column] != sum;
    }
  std::printf("%d of %d elements are wrong\n", wrong, n * n);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
