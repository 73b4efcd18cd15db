// A loop on the host that ends when the device says so: the largest change, by an atomic maximum of bits.
#include <cstring>
#include <utility>

#include "check.cuh"

__global__ void relax(const float* u, float* next, int n, unsigned* change) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 || i >= n - 1) return;
  next[i] = 0.5f * (u[i - 1] + u[i + 1]);
  atomicMax(change,
            __float_as_uint(fabsf(next[i] - u[i])));  // of numbers that aren't negative, bits are ordered as they are
}

int main() {
  const int n = 20;
  std::vector<float> u(n);
  u[n - 1] = 19;
  device_vector_of<float> a(u), b(u);
  device_vector_of<unsigned> change(1);
  float *now = a.data, *then = b.data;
  int rounds = 0;
  for (float largest = 1; largest > 1e-5f && rounds < 5000; ++rounds) {
    CHECK_CUDA(cudaMemset(change.data, 0, sizeof(unsigned)));
    relax<<<1, 32>>>(now, then, n, change.data);
    unsigned bits;
    CHECK_CUDA(cudaMemcpy(&bits, change.data, sizeof bits, cudaMemcpyDeviceToHost));
    std::memcpy(&largest, &bits, sizeof bits);
    std::swap(now, then);
  }
  CHECK_CUDA(cudaMemcpy(u.data(), now, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int k = 0; k < n; ++k) expect_near(u[k], k, 2e-3, "the straight line in the end");
  expect(rounds > 100 && rounds < 5000, "it took a while, and ended");
  return failures();
}
