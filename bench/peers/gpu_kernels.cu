// Kernels as one writes them in CUDA, without the runtime.
#include "bench/limits/cuda_call.h"
#include "bench/peers/gpu.h"

namespace bench::peers::gpu {
namespace {

constexpr unsigned block = 256;

unsigned blocks_for(std::size_t threads) { return static_cast<unsigned>((threads + block - 1) / block); }

__global__ void count_with_atomics(const float* x, std::size_t n, float low, float scale, unsigned* counts,
                                   unsigned bins) {
  const std::size_t i = std::size_t{blockIdx.x} * block + threadIdx.x;
  if (i >= n) return;
  const float at = (x[i] - low) * scale;
  atomicAdd(&counts[at >= 0 && at < static_cast<float>(bins) ? static_cast<unsigned>(at) : bins], 1u);
}

// xoroshiro128+ (Blackman and Vigna, 2018), and of its 64 bits the float32 uniform that Numba makes of them.
__device__ float uniform(stream_words& s) {
  const std::uint64_t sum = s.s0 + s.s1, mixed = s.s0 ^ s.s1;
  s.s0 = ((s.s0 << 55) | (s.s0 >> 9)) ^ mixed ^ (mixed << 14);
  s.s1 = (mixed << 36) | (mixed >> 28);
  return static_cast<float>(static_cast<double>(sum >> 11) * 0x1p-53);
}

__global__ void throw_darts(const stream_words* streams, std::size_t count, std::uint32_t darts,
                            unsigned long long* inside) {
  const std::size_t i = std::size_t{blockIdx.x} * block + threadIdx.x;
  if (i >= count) return;
  stream_words s = streams[i];
  std::uint32_t hits = 0;
  for (std::uint32_t k = 0; k < darts; ++k) {
    const float x = uniform(s), y = uniform(s);
    hits += x * x + y * y <= 1;
  }
  atomicAdd(inside, static_cast<unsigned long long>(hits));
}

}  // namespace

call histogram_with_atomics(const float* x, std::size_t n, float low, float scale, std::uint32_t* counts,
                            std::size_t counters) {
  return [=] {
    check(cudaMemsetAsync(counts, 0, counters * sizeof *counts), "a histogram on the GPU");
    count_with_atomics<<<blocks_for(n), block>>>(x, n, low, scale, counts, static_cast<unsigned>(counters - 1));
    finish("a histogram on the GPU");
  };
}

call darts_in_circle(const stream_words* streams, std::size_t count, std::uint32_t darts, std::uint64_t* inside) {
  return [=, total = gpu_memory<unsigned long long>(1)] {
    unsigned long long found = 0;
    check(cudaMemsetAsync(total.get(), 0, sizeof found), "darts on the GPU");
    throw_darts<<<blocks_for(count), block>>>(streams, count, darts, total.get());
    check(cudaGetLastError(), "darts on the GPU");
    check(cudaMemcpy(&found, total.get(), sizeof found, cudaMemcpyDeviceToHost), "darts on the GPU");
    *inside = found;
  };
}

}  // namespace bench::peers::gpu
