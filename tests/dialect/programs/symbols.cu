// Variables of the device by their names: sizes, addresses, copies in streams and between variables.
#include "check.cuh"

__device__ int counts[16];
__device__ double mean = 1.5;
namespace physics {
__device__ float gravity = 9.75f;
}

__global__ void count(const int* x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&counts[x[i] & 15], 1);
}

int main() {
  size_t bytes = 0;
  CHECK_CUDA(cudaGetSymbolSize(&bytes, counts));
  expect_equal(bytes, 64, "a size");
  void* address = nullptr;
  CHECK_CUDA(cudaGetSymbolAddress(&address, counts));
  CHECK_CUDA(cudaMemset(address, 0, bytes));
  std::vector<int> x(1000);
  for (size_t i = 0; i < x.size(); ++i) x[i] = (int)(i * i);
  device_vector_of<int> dx(x);
  count<<<1, 128>>>(dx.data, (int)x.size());
  int found[16], expected[16] = {};
  CHECK_CUDA(cudaMemcpyFromSymbol(found, counts, sizeof found));
  for (const int value : x) ++expected[value & 15];
  for (int i = 0; i < 16; ++i) expect_equal(found[i], expected[i], "counts");
  int two[2];
  CHECK_CUDA(cudaMemcpyFromSymbol(two, counts, sizeof two, 4 * sizeof(int)));
  expect(two[0] == expected[4] && two[1] == expected[5], "a part");
  double value = 0;
  CHECK_CUDA(cudaMemcpyFromSymbol(&value, mean, sizeof value));
  expect_equal(value, 1.5, "a first value");
  float g = 0;
  CHECK_CUDA(cudaMemcpyFromSymbol(&g, physics::gravity, sizeof g));
  expect_equal(g, 9.75f, "in a namespace");
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  value = -2;
  CHECK_CUDA(cudaMemcpyToSymbolAsync(mean, &value, sizeof value, 0, cudaMemcpyHostToDevice, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  value = 0;
  CHECK_CUDA(cudaMemcpyFromSymbolAsync(&value, mean, sizeof value, 0, cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  expect_equal(value, -2, "in a stream");
  CHECK_CUDA(cudaMemcpyToSymbol(counts, dx.data, 4 * sizeof(int), 0, cudaMemcpyDeviceToDevice));
  CHECK_CUDA(cudaMemcpyFromSymbol(found, counts, sizeof found));
  expect(found[0] == 0 && found[3] == 9 && found[4] == expected[4], "from device memory");
  expect(cudaMemcpyToSymbol(counts, found, 65) == cudaErrorInvalidValue, "beyond the variable");
  cudaGetLastError();
  CHECK_CUDA(cudaStreamDestroy(stream));
  return failures();
}
