// The first program of every course, with a grid of just enough blocks.
#include "check.cuh"

__global__ void add(const float* x, const float* y, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = x[i] + y[i];
}

int main() {
  for (std::size_t n : sizes) {
    std::vector<float> x(n), y(n);
    for (std::size_t k = 0; k < n; ++k) x[k] = 0.5f * k, y[k] = 1000.0f - k;
    device_vector_of<float> dx(x), dy(y), sum(n);
    if (n > 0) add<<<(n + 255) / 256, 256>>>(dx.data, dy.data, sum.data, n);
    CHECK_CUDA(cudaGetLastError());
    const std::vector<float> found = sum.host();
    for (std::size_t k = 0; k < n; ++k) expect_equal(found[k], x[k] + y[k], "a sum");
  }
  return failures();
}
