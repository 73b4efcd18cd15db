// CUB for blocks: scans, and what all values are together.
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

template <int Threads>
__global__ void scan_blocks(const int* x, int* inclusive, int* exclusive, int* maxima, int* totals) {
  using scan = cub::BlockScan<int, Threads>;
  __shared__ typename scan::TempStorage temp;
  const int i = blockIdx.x * Threads + threadIdx.x;
  int total;
  scan(temp).InclusiveSum(x[i], inclusive[i], total);
  __syncthreads();
  scan(temp).ExclusiveSum(x[i], exclusive[i]);
  __syncthreads();
  scan(temp).ExclusiveScan(x[i], maxima[i], -7, larger());
  if (threadIdx.x == Threads - 1) totals[blockIdx.x] = total;
}
template <int Threads>
void scans() {
  constexpr int blocks = 2;
  const std::vector<int> x = numbers(blocks * Threads, Threads);
  device_vector_of<int> in(x), inclusive(x.size()), exclusive(x.size()), maxima(x.size()), totals(blocks);
  scan_blocks<Threads><<<blocks, Threads>>>(in.data, inclusive.data, exclusive.data, maxima.data, totals.data);
  const std::vector<int> i = inclusive.host(), e = exclusive.host(), m = maxima.host();
  for (int b = 0; b < blocks; ++b) {
    int sum = 0, maximum = -7;
    for (int k = b * Threads; k < (b + 1) * Threads; ++k) {
      expect_equal(e[k], sum, "BlockScan::ExclusiveSum");
      expect_equal(m[k], maximum, "BlockScan::ExclusiveScan");
      sum += x[k], maximum = std::max(maximum, x[k]);
      expect_equal(i[k], sum, "BlockScan::InclusiveSum");
    }
    expect_equal(totals.host()[b], sum, "the sum of a block");
  }
}

int main() {
  scans<100>(), scans<20>();
  return failures();
}
