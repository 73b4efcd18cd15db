// What the runtime says of kernels and devices; a kernel with a default argument, a clock, an array whose type stands
// first.
#include <ctime>

#include "check.cuh"

// The device's own function of this name takes part beside it.
static unsigned umin(unsigned x, unsigned y) { return x < y ? x : y; }

__global__ void reversed(int* x, int step = 1) {
  int __shared__ all[64];
  all[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = step * all[63 - threadIdx.x];
}

// Spins for so many ticks of the device's clock.
__global__ void spin(volatile clock_t* waited, clock_t ticks) {
  const unsigned start = (unsigned)clock();
  clock_t now = 0;
  while (now < ticks) now = (unsigned)clock() - start;
  *waited = now;
}

int main() {
  std::vector<int> x(64);
  for (int k = 0; k < 64; ++k) x[k] = k;
  device_vector_of<int> d(x);
  reversed<<<1, 64>>>(d.data);
  reversed<<<1, 64>>>(d.data, 3);
  CHECK_CUDA(cudaDeviceSynchronize());
  const std::vector<int> found = d.host();
  for (int k = 0; k < 64; ++k) expect_equal(found[k], 3 * k, "reversed twice");

  device_vector_of<clock_t> waited(1);
  spin<<<1, 1>>>(waited.data, 100000);
  CHECK_CUDA(cudaDeviceSynchronize());
  expect(waited.host()[0] >= 100000, "a wait of 100,000 ticks");

  cudaFuncAttributes attributes;
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, spin));
  expect(attributes.maxThreadsPerBlock >= 64 && attributes.maxThreadsPerBlock <= 1024, "the largest block");
  int overlap = 0, pools = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&overlap, cudaDevAttrGpuOverlap, 0));
  CHECK_CUDA(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0));
  expect(overlap == 1 && pools == 1, "attributes of the device");
  expect_equal((int)umin(3, 2), 2, "a function of the host's");
  return failures();
}
