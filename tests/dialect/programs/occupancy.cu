// Occupancy: blocks of a multiprocessor, and a block size that fills it, also with shared memory by block size.
#include "check.cuh"

__global__ void scale(float* x, int n, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}
__global__ void sums(const float* x, float* y, int n) {
  extern __shared__ float s[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = s[0];
}

int main() {
  cudaDeviceProp device;
  CHECK_CUDA(cudaGetDeviceProperties(&device, 0));
  int few = 0, many = 0, with_shared = 0;
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&many, scale, 64, 0));
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&few, scale, 1024, 0));
  expect(few >= 1 && many > few && many * 64 <= device.maxThreadsPerMultiProcessor, "by threads");
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&with_shared, sums, 64, 40 << 10));
  expect(with_shared >= 1 && with_shared <= (int)(device.sharedMemPerMultiprocessor / (40 << 10)), "by shared memory");
  int least_grid = 0, block = 0;
  CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&least_grid, &block, scale, 0, 0));
  expect(block > 0 && block <= 1024 && block % 32 == 0 && least_grid > 0, "a block size");
  const int n = 100000;
  device_vector_of<float> x(std::vector<float>(n, 2.0f));
  scale<<<(n + block - 1) / block, block>>>(x.data, n, 1.5f);
  expect(x.host() == std::vector<float>(n, 3.0f), "a launch with it");
  int limited = 0;
  CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&least_grid, &limited, scale, 0, 128));
  expect(limited > 0 && limited <= 128, "a block size up to a limit");
  device_vector_of<float> y((n + 255) / 256);
  sums<<<(n + 255) / 256, 256, 256 * sizeof(float)>>>(x.data, y.data, n);
  double total = 0;
  for (const float part : y.host()) total += part;
  expect_equal(total, 300000, "sums in shared memory");
  return failures();
}
