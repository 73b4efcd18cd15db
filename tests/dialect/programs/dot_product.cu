// A product of vectors in double: a tree in each block, atomics between blocks.
#include "check.cuh"

__global__ void dot(const double* x, const double* y, double* sum, int n) {
  __shared__ double kept[128];
  double own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += x[i] * y[i];
  kept[threadIdx.x] = own;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
    if (threadIdx.x < half) kept[threadIdx.x] += kept[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, kept[0]);
}

int main() {
  for (std::size_t n : sizes) {
    std::vector<double> x(n), y(n);
    double expected = 0;
    for (std::size_t k = 0; k < n; ++k) x[k] = k % 100, y[k] = 1.0 / (1 + k % 7), expected += x[k] * y[k];
    device_vector_of<double> dx(x), dy(y), sum(std::vector<double>(1));
    dot<<<16, 128>>>(dx.data, dy.data, sum.data, n);
    CHECK_CUDA(cudaGetLastError());
    expect_near(sum.host()[0], expected, 1e-10, "a dot product");
  }
  return failures();
}
