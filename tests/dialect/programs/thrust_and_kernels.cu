// Thrust's algorithms and kernels that use the same memory.
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>

#include "check.cuh"

template <class T>
std::vector<T> on_host(const thrust::device_vector<T>& x) {
  const thrust::host_vector<T> copy = x;
  return {copy.begin(), copy.end()};
}

// Kernels and algorithms take turns; nobody waits but Thrust itself.
__global__ void add_index(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += i;
}
void takes_turns_with_kernels() {
  const int n = 100000;
  thrust::device_vector<int> x(n, 5);
  int* const raw = thrust::raw_pointer_cast(x.data());
  add_index<<<(n + 255) / 256, 256>>>(raw, n);
  expect_equal(thrust::reduce(x.begin(), x.end(), 0ll), 5ll * n + (long long)n * (n - 1) / 2, "after a kernel");
  thrust::fill(x.begin(), x.end(), 1);
  add_index<<<(n + 255) / 256, 256>>>(raw, n);
  expect_equal((int)x[n - 1], n, "an element after a kernel");
  expect_equal((int)x.back() + x.front(), n + 1, "the first and the last element");

  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  device_vector_of<int> own(n);
  CHECK_CUDA(cudaMemsetAsync(own.data, 0, n * sizeof(int), stream));
  add_index<<<(n + 255) / 256, 256, 0, stream>>>(own.data, n);
  const thrust::device_ptr<int> begin = thrust::device_pointer_cast(own.data);
  thrust::sort(thrust::cuda::par.on(stream), begin, begin + n, thrust::greater<int>());
  add_index<<<(n + 255) / 256, 256, 0, stream>>>(own.data, n);
  CHECK_CUDA(cudaStreamSynchronize(stream));
  expect(own.host() == std::vector<int>(n, n - 1), "a kernel after an algorithm on memory of cudaMalloc()");
  CHECK_CUDA(cudaStreamDestroy(stream));

  thrust::device_vector<int> y(10);
  thrust::copy(thrust::device, x.begin(), x.begin() + 10, y.begin());
  thrust::for_each(thrust::device, y.begin(), y.end(), [] __host__ __device__(int& v) { v *= 2; });
  const int expected[10] = {2, 4, 6, 8, 10, 12, 14, 16, 18, 20};
  expect(on_host(y) == std::vector<int>(expected, expected + 10), "copy and for_each");
}

int main() {
  takes_turns_with_kernels();
  return failures();
}
