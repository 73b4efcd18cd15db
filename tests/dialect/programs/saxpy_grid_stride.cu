// A loop over the grid: any number of threads does any number of elements.
#include "check.cuh"

__global__ void saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i] + y[i];
}

int main() {
  for (std::size_t n : sizes)
    for (const dim3 grid : {dim3(1), dim3(7), dim3(64)}) {
      std::vector<float> x(n), y(n);
      for (std::size_t k = 0; k < n; ++k) x[k] = k % 17, y[k] = k % 5;
      device_vector_of<float> dx(x), dy(y);
      saxpy<<<grid, 96>>>(n, 3.0f, dx.data, dy.data);
      CHECK_CUDA(cudaGetLastError());
      const std::vector<float> found = dy.host();
      for (std::size_t k = 0; k < n; ++k) expect_equal(found[k], 3 * x[k] + y[k], "a x + y");
    }
  return failures();
}
