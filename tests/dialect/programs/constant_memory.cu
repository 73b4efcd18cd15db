// Constant memory: arrays, structs, values given where they are declared, and parts of them.
#include "check.cuh"

struct filter {
  float taps[5];
  int shift;
};
__constant__ filter smoothing;
__constant__ int primes[] = {2, 3, 5, 7, 11};

__global__ void apply(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 5; ++k) {
    const int at = i + k - smoothing.shift;
    if (at >= 0 && at < n) sum += smoothing.taps[k] * x[at];
  }
  y[i] = sum;
}
__global__ void copy_primes(int* y) { y[threadIdx.x] = primes[threadIdx.x]; }

int main() {
  const filter f = {{1, 4, 6, 4, 1}, 2};
  CHECK_CUDA(cudaMemcpyToSymbol(smoothing, &f, sizeof f));
  for (const size_t size : sizes) {
    const int n = (int)size;
    std::vector<float> x(n);
    for (int i = 0; i < n; ++i) x[i] = (float)(i % 7);
    device_vector_of<float> dx(x), dy(n);
    apply<<<n / 128 + 1, 128>>>(dx.data, dy.data, n);
    const std::vector<float> found = dy.host();
    for (int i = 0; i < n; ++i) {
      float sum = 0;
      for (int k = 0; k < 5; ++k)
        if (i + k - 2 >= 0 && i + k - 2 < n) sum += f.taps[k] * x[i + k - 2];
      expect_equal(found[i], sum, "a filter in constant memory");
    }
  }
  device_vector_of<int> y(5);
  copy_primes<<<1, 5>>>(y.data);
  expect(y.host() == std::vector<int>{2, 3, 5, 7, 11}, "its first values");
  const int thirteen = 13;
  CHECK_CUDA(cudaMemcpyToSymbol(primes, &thirteen, sizeof thirteen, 4 * sizeof(int)));
  copy_primes<<<1, 5>>>(y.data);
  expect(y.host() == std::vector<int>{2, 3, 5, 7, 13}, "a part of it");
  return failures();
}
