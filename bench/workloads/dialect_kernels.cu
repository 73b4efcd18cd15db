// The kernels of the rows "dialect_...", in CUDA C++ (dialect/): what workloads/dialect.cpp has with gs, line by line.

#include <cuda_runtime.h>

#include <cstddef>

namespace {

constexpr int threads = 256, tile = 16, edge = 32, bins = 256;

__global__ void add(const float* x, const float* y, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = x[i] + y[i];
}

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float left[tile][tile], right[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    left[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int j = 0; j < tile; ++j) sum += left[threadIdx.y][j] * right[j][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void turn(const float* in, float* out, int n) {
  __shared__ float square[edge][edge + 1];
  const int top = blockIdx.y * edge, left = blockIdx.x * edge;
  square[threadIdx.y][threadIdx.x] = in[(top + threadIdx.y) * n + left + threadIdx.x];
  __syncthreads();
  out[(left + threadIdx.y) * n + top + threadIdx.x] = square[threadIdx.x][threadIdx.y];
}

__global__ void sums_of_blocks(const float* x, float* sums, int n) {
  __shared__ float of_warp[threads / 32];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int below = 16; below > 0; below /= 2) sum += __shfl_down_sync(0xffffffff, sum, below);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  float all = 0;
  for (int w = 0; w < threads / 32; ++w) all += of_warp[w];
  sums[blockIdx.x] = all;
}

__global__ void clear(unsigned* counts) { counts[threadIdx.x] = 0; }

__global__ void count(const float* x, unsigned* counts, int n) {
  __shared__ unsigned own[bins];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[min(static_cast<unsigned>(x[i] * bins), bins - 1u)], 1u);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

__global__ void smooth(const float* in, float* out, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < 1 || column < 1 || row >= n - 1 || column >= n - 1) return;
  const int i = row * n + column;
  out[i] = 0.5f * in[i] + 0.125f * (in[i - n] + in[i + n] + in[i - 1] + in[i + 1]);
}

}  // namespace

// Each ends when its kernels have run.
extern "C" {

void dialect_add(const float* x, const float* y, float* sum, int n) {
  add<<<(n + threads - 1) / threads, threads>>>(x, y, sum, n);
  cudaDeviceSynchronize();
}
void dialect_matmul(const float* a, const float* b, float* c, int n) {
  multiply<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(a, b, c, n);
  cudaDeviceSynchronize();
}
void dialect_transpose(const float* in, float* out, int n) {
  turn<<<dim3(n / edge, n / edge), dim3(edge, edge)>>>(in, out, n);
  cudaDeviceSynchronize();
}
void dialect_reduce(const float* x, float* sums, int n, int blocks) {
  sums_of_blocks<<<blocks, threads>>>(x, sums, n);
  cudaDeviceSynchronize();
}
void dialect_histogram(const float* x, unsigned* counts, int n, int blocks) {
  clear<<<1, bins>>>(counts);
  count<<<blocks, bins>>>(x, counts, n);
  cudaDeviceSynchronize();
}
void dialect_stencil(const float* in, float* out, int n) {
  smooth<<<dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)>>>(in, out, n);
  cudaDeviceSynchronize();
}
}
