// CUB for warps: reductions and scans.
#include <cub/cub.cuh>

#include <algorithm>
#include <functional>
#include <numeric>

#include "check.cuh"

std::vector<int> numbers(std::size_t n, unsigned seed) {
  std::vector<int> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    seed = seed * 1664525 + 1013904223;
    x[i] = (int)(seed >> 12) % 201 - 100;
  }
  return x;
}

struct larger {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

template <int Width>
__global__ void warps_of(const int* x, int* sums, int* maxima, int* some, int* inclusive, int* exclusive) {
  using reduce = cub::WarpReduce<int, Width>;
  using scan = cub::WarpScan<int, Width>;
  __shared__ typename reduce::TempStorage reduced[96 / Width];
  __shared__ typename scan::TempStorage scanned[96 / Width];
  const int warp = threadIdx.x / Width, mine = x[threadIdx.x];
  const int sum = reduce(reduced[warp]).Sum(mine), of_some = reduce(reduced[warp]).Sum(mine, (Width + 1) / 2);
  const int maximum = reduce(reduced[warp]).Reduce(mine, larger());
  if (threadIdx.x % Width == 0) sums[warp] = sum, maxima[warp] = maximum, some[warp] = of_some;
  scan(scanned[warp]).InclusiveSum(mine, inclusive[threadIdx.x]);
  scan(scanned[warp]).ExclusiveSum(mine, exclusive[threadIdx.x]);
}
template <int Width>
void warps() {
  const std::vector<int> x = numbers(96, Width);
  device_vector_of<int> in(x), sums(96 / Width), maxima(96 / Width), some(96 / Width), inclusive(96), exclusive(96);
  warps_of<Width><<<1, 96>>>(in.data, sums.data, maxima.data, some.data, inclusive.data, exclusive.data);
  const std::vector<int> i = inclusive.host(), e = exclusive.host();
  for (int w = 0; w < 96 / Width; ++w) {
    const auto begin = x.begin() + w * Width;
    expect_equal(sums.host()[w], std::accumulate(begin, begin + Width, 0), "WarpReduce::Sum");
    expect_equal(maxima.host()[w], *std::max_element(begin, begin + Width), "WarpReduce::Reduce");
    expect_equal(some.host()[w], std::accumulate(begin, begin + (Width + 1) / 2, 0), "WarpReduce::Sum of some");
    for (int k = 0, sum = 0; k < Width; ++k) {
      expect_equal(e[w * Width + k], sum, "WarpScan::ExclusiveSum");
      sum += begin[k];
      expect_equal(i[w * Width + k], sum, "WarpScan::InclusiveSum");
    }
  }
}

int main() {
  warps<32>(), warps<4>();
  return failures();
}
