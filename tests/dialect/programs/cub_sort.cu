// CUB for the whole device: sorts of keys, and of values with them.
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

template <class Key>
void sorts(int n) {
  std::vector<Key> keys = numbers<Key>(n, 4);
  for (int i = 0; i + 1 < n && i < 8; i += 2) keys[i] = (Key)0, keys[i + 1] = (Key)-0.0;
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  device_vector_of<Key> in(keys), out(n);
  device_vector_of<int> values_in(order), values_out(n);
  with_storage([&](void* s, std::size_t& b) {
    return cub::DeviceRadixSort::SortPairs(s, b, in.data, out.data, values_in.data, values_out.data, n);
  });
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  expect(values_out.host() == order, "DeviceRadixSort::SortPairs");
  std::vector<Key> sorted = keys;
  std::stable_sort(sorted.begin(), sorted.end());
  with_storage([&](void* s, std::size_t& b) { return cub::DeviceRadixSort::SortKeys(s, b, in.data, out.data, n); });
  expect(out.host() == sorted, "DeviceRadixSort::SortKeys");
  std::stable_sort(sorted.begin(), sorted.end(), std::greater<Key>());
  with_storage(
      [&](void* s, std::size_t& b) { return cub::DeviceRadixSort::SortKeysDescending(s, b, in.data, out.data, n); });
  expect(out.host() == sorted, "DeviceRadixSort::SortKeysDescending");
}

void sorts_by_some_bits(int n) {
  std::vector<unsigned> keys = numbers<unsigned>(n, 5);
  device_vector_of<unsigned> one(keys), other(n);
  cub::DoubleBuffer<unsigned> buffers(one.data, other.data);
  with_storage([&](void* s, std::size_t& b) { return cub::DeviceRadixSort::SortKeys(s, b, buffers, n, 2, 9); });
  std::stable_sort(keys.begin(), keys.end(), [](unsigned a, unsigned b) { return (a >> 2) % 128 < (b >> 2) % 128; });
  expect((buffers.Current() == one.data ? one : other).host() == keys, "DeviceRadixSort::SortKeys of some bits");
}

int main() {
  for (int n : {1, 33, 1009, 100000}) sorts<int>(n), sorts<float>(n), sorts_by_some_bits(n);
  return failures();
}
