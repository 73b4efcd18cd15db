// CUB for blocks: tiles that are loaded, scanned, sorted and stored.
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

// A tile of a block is loaded, scanned, sorted and stored.
template <int Threads, int Items, cub::BlockLoadAlgorithm Load, cub::BlockStoreAlgorithm Store>
__global__ void scan_and_sort(const int* x, int* sums, int* before, int* sorted, int* places, int n) {
  using load = cub::BlockLoad<int, Threads, Items, Load>;
  using store = cub::BlockStore<int, Threads, Items, Store>;
  using scan = cub::BlockScan<int, Threads>;
  using sort = cub::BlockRadixSort<int, Threads, Items, int>;
  __shared__ union {
    typename load::TempStorage of_load;
    typename store::TempStorage of_store;
    typename scan::TempStorage of_scan;
    typename sort::TempStorage of_sort;
  } temp;
  int items[Items], scanned[Items], index[Items];
  load(temp.of_load).Load(x, items, n, 1000);
  __syncthreads();
  scan(temp.of_scan).InclusiveSum(items, scanned);
  __syncthreads();
  store(temp.of_store).Store(sums, scanned, n);
  __syncthreads();
  scan(temp.of_scan).ExclusiveSum(items, scanned);
  __syncthreads();
  store(temp.of_store).Store(before, scanned, n);
  __syncthreads();
  for (int i = 0; i < Items; ++i) index[i] = threadIdx.x * Items + i;
  sort(temp.of_sort).Sort(items, index);
  __syncthreads();
  store(temp.of_store).Store(sorted, items, n);
  __syncthreads();
  store(temp.of_store).Store(places, index);
}
template <int Threads, int Items, cub::BlockLoadAlgorithm Load, cub::BlockStoreAlgorithm Store>
void tiles(int n) {
  const std::vector<int> x = numbers(n, n);
  device_vector_of<int> in(x), sums(n), before(n), sorted(n), places(Threads * Items);
  scan_and_sort<Threads, Items, Load, Store>
      <<<1, Threads>>>(in.data, sums.data, before.data, sorted.data, places.data, n);
  std::vector<int> expected(n);
  std::partial_sum(x.begin(), x.end(), expected.begin());
  expect(sums.host() == expected, "BlockScan::InclusiveSum of arrays");
  std::exclusive_scan(x.begin(), x.end(), expected.begin(), 0);
  expect(before.host() == expected, "BlockScan::ExclusiveSum of arrays");
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return x[a] < x[b]; });
  std::vector<int> values(n), found = places.host();
  for (int i = 0; i < n; ++i) values[i] = x[order[i]];
  found.resize(n);
  expect(sorted.host() == values, "BlockRadixSort::Sort");
  expect(found == order, "the values that BlockRadixSort::Sort moves");
}

__global__ void sort_descending(float* x) {
  using sort = cub::BlockRadixSort<float, 64, 2>;
  __shared__ typename sort::TempStorage temp;
  float keys[2] = {x[2 * threadIdx.x], x[2 * threadIdx.x + 1]};
  sort(temp).SortDescending(keys);
  x[2 * threadIdx.x] = keys[0], x[2 * threadIdx.x + 1] = keys[1];
}
__global__ void load_striped(const int* x, int* y) {
  using load = cub::BlockLoad<int, 32, 3, cub::BLOCK_LOAD_STRIPED>;
  using store = cub::BlockStore<int, 32, 3>;
  __shared__ typename load::TempStorage temp;
  __shared__ typename store::TempStorage stored;
  int items[3];
  load(temp).Load(x, items);
  store(stored).Store(y, items);
}

int main() {
  tiles<64, 4, cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_TRANSPOSE>(256);
  tiles<96, 3, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_VECTORIZE>(200);

  std::vector<float> keys(128);
  const std::vector<int> whole = numbers(128, 9);
  for (int i = 0; i < 128; ++i) keys[i] = whole[i] / 8.0f;
  device_vector_of<float> x(keys);
  sort_descending<<<1, 64>>>(x.data);
  std::stable_sort(keys.begin(), keys.end(), std::greater<float>());
  expect(x.host() == keys, "BlockRadixSort::SortDescending");
  const std::vector<int> items = numbers(96, 8);
  device_vector_of<int> from(items), to(96);
  load_striped<<<1, 32>>>(from.data, to.data);
  for (int i = 0; i < 96; ++i) expect_equal(to.host()[i], items[i / 3 + i % 3 * 32], "BlockLoad, striped");
  return failures();
}
