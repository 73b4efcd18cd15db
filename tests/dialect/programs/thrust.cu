// Thrust: vectors on both sides, reductions, scans, sorts.
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>

#include <algorithm>
#include <numeric>

#include "check.cuh"

thrust::host_vector<int> numbers(std::size_t n, unsigned seed) {
  thrust::host_vector<int> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    seed = seed * 1664525 + 1013904223;
    x[i] = (int)(seed >> 12) % 201 - 100;
  }
  return x;
}
template <class T>
std::vector<T> on_host(const thrust::device_vector<T>& x) {
  const thrust::host_vector<T> copy = x;
  return {copy.begin(), copy.end()};
}

struct square {
  __host__ __device__ long long operator()(int x) const { return (long long)x * x; }
};
struct is_odd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

void sorts_and_scans(std::size_t n) {
  const thrust::host_vector<int> host = numbers(n, 1);
  std::vector<int> plain(host.begin(), host.end()), expected(n);
  thrust::device_vector<int> x = host, y(n);
  expect_equal(thrust::reduce(x.begin(), x.end()), std::accumulate(plain.begin(), plain.end(), 0), "reduce");
  expect_equal(thrust::reduce(x.begin(), x.end(), -1000, thrust::maximum<int>()),
               std::accumulate(plain.begin(), plain.end(), -1000, [](int a, int b) { return std::max(a, b); }),
               "reduce with an operation");
  expect_equal(thrust::transform_reduce(x.begin(), x.end(), square(), 0ll, thrust::plus<long long>()),
               std::inner_product(plain.begin(), plain.end(), plain.begin(), 0ll), "transform_reduce");
  expect_equal(thrust::count_if(x.begin(), x.end(), is_odd()), std::count_if(plain.begin(), plain.end(), is_odd()),
               "count_if");
  thrust::inclusive_scan(x.begin(), x.end(), y.begin());
  std::partial_sum(plain.begin(), plain.end(), expected.begin());
  expect(on_host(y) == expected, "inclusive_scan");
  thrust::sequence(y.begin(), y.end());
  thrust::stable_sort_by_key(x.begin(), x.end(), y.begin());
  std::iota(expected.begin(), expected.end(), 0);
  std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) { return plain[a] < plain[b]; });
  expect(on_host(y) == expected, "stable_sort_by_key");
  std::sort(plain.begin(), plain.end());
  expect(on_host(x) == plain, "the keys that are sorted");
  thrust::sort(x.begin(), x.end(), thrust::greater<int>());
  std::reverse(plain.begin(), plain.end());
  expect(on_host(x) == plain, "sort");
}

int main() {
  for (std::size_t n : sizes) sorts_and_scans(n);
  return failures();
}
