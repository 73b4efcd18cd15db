// Threads, blocks and a grid in three dimensions, and a launch by dim3 with fewer numbers.
#include "check.cuh"

__global__ void number(int* x, int3 extent) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
            k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < extent.x && j < extent.y && k < extent.z) x[(k * extent.y + j) * extent.x + i] = i + 100 * j + 10000 * k;
}
__global__ void count(int* x) {
  atomicAdd(x, gridDim.x * gridDim.y * gridDim.z * 1000 + blockDim.x * blockDim.y * blockDim.z);
}

int main() {
  const int3 extent = make_int3(13, 7, 5);
  device_vector_of<int> x(13 * 7 * 5), sum(std::vector<int>(1));
  number<<<dim3(4, 2, 3), dim3(4, 4, 2)>>>(x.data, extent);
  CHECK_CUDA(cudaGetLastError());
  const std::vector<int> found = x.host();
  for (int n = 0; n < int(found.size()); ++n)
    expect_equal(found[n], n % 13 + 100 * (n / 13 % 7) + 10000 * (n / 91), "a thread's place");
  count<<<dim3(2, 3), dim3(2)>>>(sum.data);
  expect_equal(sum.host()[0], 12 * 6002, "extents that were left out are 1");
  return failures();
}
