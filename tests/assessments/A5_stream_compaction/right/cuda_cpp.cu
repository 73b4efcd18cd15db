// CUDA C++: places within a warp by ballots, within a block by the sums of its warps, and a look back at the blocks
// before.

#include <cuda_runtime.h>

#include "assessments/A5_stream_compaction/task.h"

constexpr int threads = 256, rounds = 8, warps = threads / 32, piece = threads * rounds;

// A word for each piece: its state in the upper 2 bits, a count in the other 30.
constexpr unsigned own_count = 1u << 30, all_before_too = 2u << 30, count_bits = own_count - 1;

__device__ unsigned kept_before(unsigned* words, unsigned number, unsigned own) {
  unsigned before = 0;
  if (number > 0) {
    atomicExch(&words[number], own_count | own);
    for (unsigned p = number - 1;; --p) {
      unsigned seen = 0;
      while (seen < own_count) seen = atomicAdd(&words[p], 0);
      before += seen & count_bits;
      if (seen >= all_before_too) break;
    }
  }
  atomicExch(&words[number], all_before_too | (before + own));
  return before;
}

__global__ void keep(const float* values, int n, float threshold, float* kept, unsigned* words, int pieces) {
  __shared__ float buffer[piece];
  __shared__ unsigned of_warp[rounds * warps];
  __shared__ unsigned number, base, own;
  if (threadIdx.x == 0) number = atomicAdd(&words[pieces], 1u);
  __syncthreads();
  const int first = number * piece, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float value[rounds];
  unsigned ballot[rounds];
#pragma unroll
  for (int r = 0; r < rounds; ++r) {
    const int i = first + r * threads + threadIdx.x;
    value[r] = i < n ? values[i] : 0;
    ballot[r] = __ballot_sync(0xffffffff, i < n && value[r] >= threshold);
    if (lane == 0) of_warp[r * warps + warp] = __popc(ballot[r]);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned sum = 0;
    for (int k = 0; k < rounds * warps; ++k) {
      const unsigned here = of_warp[k];
      of_warp[k] = sum;
      sum += here;
    }
    own = sum;
    base = kept_before(words, number, sum);
  }
  __syncthreads();
#pragma unroll
  for (int r = 0; r < rounds; ++r)
    if (ballot[r] >> lane & 1) buffer[of_warp[r * warps + warp] + __popc(ballot[r] & ((1u << lane) - 1))] = value[r];
  __syncthreads();
  for (unsigned k = threadIdx.x; k < own; k += threads) kept[base + k] = buffer[k];
}

void compact(const gs::device_array<float>& values, float threshold, const gs::device_array<float>& kept) {
  const int n = static_cast<int>(values.size()), pieces = (n + piece - 1) / piece;
  if (pieces == 0) return;
  unsigned* words = nullptr;  // and the number of the next piece
  cudaMalloc(&words, (pieces + 1) * sizeof(unsigned));
  cudaMemset(words, 0, (pieces + 1) * sizeof(unsigned));
  keep<<<pieces, threads>>>(values.data(), n, threshold, kept.data(), words, pieces);
  cudaFree(words);
}
