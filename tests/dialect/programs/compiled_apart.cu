// Functions that are not inlined, bounds of a launch, an unrolled loop, and pointers that share nothing.
#include "check.cuh"

__device__ __noinline__ float cubed(float x) { return x * x * x; }
__device__ __forceinline__ float doubled(float x) { return 2 * x; }
__host__ __device__ float both(float x) { return x + 1; }

__global__ void __launch_bounds__(128, 2) evaluate(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < 10; ++k) sum += cubed(__ldg(x + i) + k);
  y[i] = doubled(both(sum));
}

int main() {
  for (std::size_t n : sizes) {
    std::vector<float> x(n);
    for (std::size_t k = 0; k < n; ++k) x[k] = k % 10;
    device_vector_of<float> dx(x), y(n);
    if (n > 0) evaluate<<<(n + 127) / 128, 128>>>(dx.data, y.data, n);
    CHECK_CUDA(cudaGetLastError());
    const std::vector<float> found = y.host();
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (int k = 0; k < 10; ++k) sum += std::pow(x[i] + k, 3);
      expect_near(found[i], 2 * both(sum), 1e-6, "a value");
    }
  }
  return failures();
}
