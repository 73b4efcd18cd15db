// CUB, called as an expert calls it.
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "bench/limits/cuda_call.h"
#include "bench/peers/gpu.h"

namespace bench::peers::gpu {
namespace {

// CUB reports how much temporary memory it needs when it is called without any.
template <class F>
call with_temporary_memory(const char* operation, F f) {
  std::size_t bytes = 0;
  check(f(nullptr, bytes), operation);
  return [=, memory = gpu_memory<std::byte>(bytes)] {
    std::size_t size = bytes;
    check(f(memory.get(), size), operation);
    finish(operation);
  };
}

// The bin of x, where bins are 1 wide; the one after the last if it is in none.
struct position {
  float low, scale, bins;
  __host__ __device__ float operator()(float x) const {
    const float at = (x - low) * scale;
    return at >= 0 && at < bins ? at : bins;
  }
};

}  // namespace

call sort(const float* x, float* out, std::size_t n) {
  return with_temporary_memory("a sort by CUB", [=](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(memory, bytes, x, out, n);
  });
}

call histogram(const float* x, std::size_t n, float low, float scale, std::uint32_t* counts, std::size_t counters) {
  const auto end = static_cast<float>(counters);
  const auto positions = thrust::make_transform_iterator(x, position{low, scale, end - 1});
  return with_temporary_memory("a histogram by CUB", [=](void* memory, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(memory, bytes, positions, counts, static_cast<int>(counters) + 1, 0.0f,
                                               end, static_cast<long long>(n));
  });
}

}  // namespace bench::peers::gpu
