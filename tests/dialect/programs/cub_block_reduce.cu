// CUB for blocks: reductions of all values, of some, of arrays.
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

template <int Threads, int Height = 1>
__global__ void reduce_blocks(const int* x, int* sums, int* maxima, int* of_some, int* of_arrays, int valid) {
  using reduce = cub::BlockReduce<int, Threads, cub::BLOCK_REDUCE_WARP_REDUCTIONS, Height>;
  __shared__ typename reduce::TempStorage temp;
  const int thread = threadIdx.x + threadIdx.y * Threads, mine = x[blockIdx.x * Threads * Height + thread];
  const int sum = reduce(temp).Sum(mine);
  __syncthreads();
  const int maximum = reduce(temp).Reduce(mine, larger());
  __syncthreads();
  const int some = reduce(temp).Sum(mine, valid);
  __syncthreads();
  int items[3] = {mine, 2 * mine, thread};
  const int all = reduce(temp).Sum(items);
  if (thread == 0)
    sums[blockIdx.x] = sum, maxima[blockIdx.x] = maximum, of_some[blockIdx.x] = some, of_arrays[blockIdx.x] = all;
}
template <int Threads, int Height = 1>
void reduces() {
  constexpr int blocks = 3, all = Threads * Height, valid = (all + 1) / 2;
  const std::vector<int> x = numbers(blocks * all, all);
  device_vector_of<int> in(x), sums(blocks), maxima(blocks), some(blocks), arrays(blocks);
  reduce_blocks<Threads, Height>
      <<<blocks, dim3(Threads, Height)>>>(in.data, sums.data, maxima.data, some.data, arrays.data, valid);
  for (int b = 0; b < blocks; ++b) {
    const auto begin = x.begin() + b * all, end = begin + all;
    const int sum = std::accumulate(begin, end, 0);
    expect_equal(sums.host()[b], sum, "BlockReduce::Sum");
    expect_equal(maxima.host()[b], *std::max_element(begin, end), "BlockReduce::Reduce");
    expect_equal(some.host()[b], std::accumulate(begin, begin + valid, 0), "BlockReduce::Sum of some");
    expect_equal(arrays.host()[b], 3 * sum + all * (all - 1) / 2, "BlockReduce::Sum of arrays");
  }
}

int main() {
  reduces<100>(), reduces<16, 8>();
  return failures();
}
