// CUB for the whole device: reductions and scans, each asked for its storage first.
#include <cub/cub.cuh>

#include <algorithm>
#include <functional>
#include <numeric>

#include "check.cuh"

// Calls `ask(storage, bytes)` twice, as CUB wants it.
template <class Ask>
void with_storage(Ask ask) {
  std::size_t bytes = 0;
  CHECK_CUDA(ask((void*)nullptr, bytes));
  expect(bytes > 0, "some bytes of storage are wanted");
  void* storage = nullptr;
  CHECK_CUDA(cudaMalloc(&storage, bytes));
  CHECK_CUDA(ask(storage, bytes));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaFree(storage));
}

template <class T>
std::vector<T> numbers(std::size_t n, unsigned seed) {
  std::vector<T> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    seed = seed * 1664525 + 1013904223;
    x[i] = (T)((int)(seed >> 12) % 2001 - 1000);
  }
  return x;
}

struct larger_magnitude {
  __host__ __device__ int operator()(int a, int b) const { return (a < 0 ? -a : a) < (b < 0 ? -b : b) ? b : a; }
};
struct product {
  __host__ __device__ unsigned operator()(unsigned a, unsigned b) const { return a * b; }
};

void reduces(int n) {
  const std::vector<int> x = numbers<int>(n, 1);
  device_vector_of<int> in(x), out(1);
  with_storage([&](void* s, std::size_t& b) { return cub::DeviceReduce::Sum(s, b, in.data, out.data, n); });
  expect_equal(out.host()[0], std::accumulate(x.begin(), x.end(), 0), "DeviceReduce::Sum");
  with_storage([&](void* s, std::size_t& b) {
    return cub::DeviceReduce::Reduce(s, b, in.data, out.data, n, larger_magnitude(), 3);
  });
  expect_equal(out.host()[0], std::accumulate(x.begin(), x.end(), 3, larger_magnitude()), "DeviceReduce::Reduce");
  if (n == 0) return;
  with_storage([&](void* s, std::size_t& b) { return cub::DeviceReduce::Min(s, b, in.data, out.data, n); });
  expect_equal(out.host()[0], *std::min_element(x.begin(), x.end()), "DeviceReduce::Min");
  with_storage([&](void* s, std::size_t& b) { return cub::DeviceReduce::Max(s, b, in.data, out.data, n); });
  expect_equal(out.host()[0], *std::max_element(x.begin(), x.end()), "DeviceReduce::Max");
}

void scans(int n) {
  const std::vector<int> x = numbers<int>(n, 2);
  std::vector<int> expected(n);
  device_vector_of<int> in(x), out(n);
  with_storage([&](void* s, std::size_t& b) { return cub::DeviceScan::InclusiveSum(s, b, in.data, out.data, n); });
  std::partial_sum(x.begin(), x.end(), expected.begin());
  expect(out.host() == expected, "DeviceScan::InclusiveSum");
  with_storage([&](void* s, std::size_t& b) { return cub::DeviceScan::ExclusiveSum(s, b, in.data, out.data, n); });
  std::exclusive_scan(x.begin(), x.end(), expected.begin(), 0);
  expect(out.host() == expected, "DeviceScan::ExclusiveSum");
  with_storage([&](void* s, std::size_t& b) {
    return cub::DeviceScan::InclusiveScan(s, b, in.data, out.data, larger_magnitude(), n);
  });
  std::partial_sum(x.begin(), x.end(), expected.begin(), larger_magnitude());
  expect(out.host() == expected, "DeviceScan::InclusiveScan");
  const std::vector<unsigned> y = numbers<unsigned>(n, 3);
  device_vector_of<unsigned> in_place(y);
  with_storage([&](void* s, std::size_t& b) {
    return cub::DeviceScan::ExclusiveScan(s, b, in_place.data, in_place.data, product(), 5u, n);
  });
  std::vector<unsigned> products(n);
  std::exclusive_scan(y.begin(), y.end(), products.begin(), 5u, product());
  expect(in_place.host() == products, "DeviceScan::ExclusiveScan, in place");
}

// On a stream, after a kernel that makes the numbers.
void follows_a_kernel() {
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  device_vector_of<int> x(1000), sum(1);
  std::size_t bytes = 0;
  CHECK_CUDA(cub::DeviceReduce::Sum(nullptr, bytes, x.data, sum.data, 1000, stream));
  device_vector_of<char> storage(bytes);
  fill_kernel<<<4, 64, 0, stream>>>(x.data, 1000, 1);
  CHECK_CUDA(cub::DeviceReduce::Sum(storage.data, bytes, x.data, sum.data, 1000, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  expect_equal(sum.host()[0], 500500, "a sum on a stream");
  CHECK_CUDA(cudaStreamDestroy(stream));
}

int main() {
  for (std::size_t n : sizes) reduces((int)n), scans((int)n);
  follows_a_kernel();
  return failures();
}
