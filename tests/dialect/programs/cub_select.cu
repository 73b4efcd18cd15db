// CUB for the whole device: histograms, selections, runs.
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

struct is_even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
void counts(int n) {
  std::vector<float> samples = numbers<float>(n, 6);
  device_vector_of<float> in(samples);
  device_vector_of<int> histogram(10);
  with_storage([&](void* s, std::size_t& b) {
    return cub::DeviceHistogram::HistogramEven(s, b, in.data, histogram.data, 11, -500.0f, 500.0f, n);
  });
  std::vector<int> expected(10);
  for (float x : samples)
    if (x >= -500 && x < 500) ++expected[(int)((x + 500) / 100)];
  expect(histogram.host() == expected, "DeviceHistogram::HistogramEven");
  const std::vector<float> levels{-900, -10, 0, 5, 800};
  device_vector_of<float> device_levels(levels);
  device_vector_of<unsigned> ranges(4);
  with_storage([&](void* s, std::size_t& b) {
    return cub::DeviceHistogram::HistogramRange(s, b, in.data, ranges.data, 5, device_levels.data, n);
  });
  std::vector<unsigned> in_ranges(4);
  for (float x : samples)
    for (int k = 0; k < 4; ++k)
      if (x >= levels[k] && x < levels[k + 1]) ++in_ranges[k];
  expect(ranges.host() == in_ranges, "DeviceHistogram::HistogramRange");
}

void selects(int n) {
  const std::vector<int> x = numbers<int>(n, 7);
  std::vector<char> flags(n);
  std::vector<int> flagged, even, unique;
  for (int i = 0; i < n; ++i) {
    flags[i] = i % 3 == 1;
    if (flags[i]) flagged.push_back(x[i]);
    if (x[i] % 2 == 0) even.push_back(x[i]);
    if (i == 0 || x[i] / 500 != x[i - 1] / 500) unique.push_back(x[i] / 500);
  }
  device_vector_of<int> in(x), out(std::vector<int>(n, 0)), count(1);
  device_vector_of<char> device_flags(flags);
  const auto chosen = [&] {
    std::vector<int> all = out.host();
    all.resize(count.host()[0]);
    return all;
  };
  with_storage([&](void* s, std::size_t& b) {
    return cub::DeviceSelect::Flagged(s, b, in.data, device_flags.data, out.data, count.data, n);
  });
  expect(chosen() == flagged, "DeviceSelect::Flagged");
  with_storage([&](void* s, std::size_t& b) {
    return cub::DeviceSelect::If(s, b, in.data, out.data, count.data, n, is_even());
  });
  expect(chosen() == even, "DeviceSelect::If");

  std::vector<int> coarse = x;
  for (int& k : coarse) k /= 500;
  device_vector_of<int> runs_in(coarse), lengths(std::vector<int>(n, 0));
  with_storage(
      [&](void* s, std::size_t& b) { return cub::DeviceSelect::Unique(s, b, runs_in.data, out.data, count.data, n); });
  expect(chosen() == unique, "DeviceSelect::Unique");
  with_storage([&](void* s, std::size_t& b) {
    return cub::DeviceRunLengthEncode::Encode(s, b, runs_in.data, out.data, lengths.data, count.data, n);
  });
  expect(chosen() == unique, "DeviceRunLengthEncode::Encode");
  std::vector<int> rebuilt;
  const std::vector<int> each = lengths.host();
  for (std::size_t r = 0; r < unique.size(); ++r) rebuilt.insert(rebuilt.end(), each[r], unique[r]);
  expect(rebuilt == coarse, "the lengths of runs");
}

int main() {
  for (int n : {1, 33, 1009, 100000}) counts(n), selects(n);
  return failures();
}
