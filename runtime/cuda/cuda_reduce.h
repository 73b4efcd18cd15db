#pragma once
// How a block of a GPU's threads folds contiguous elements, as the tree of neighbours of runtime/ufunc/reduce.h. Only
// nvcc reads this.

#include <algorithm>
#include <bit>
#include <cstddef>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

// Folds `count` values in shared memory into the first: neighbours, then what is 2 apart, 4 apart, ... A value without
// a partner stays where it is.
template <auto F, class T>
__device__ void fold_shared(T* value, unsigned count) {
  for (unsigned step = 1; step < count; step *= 2) {
    __syncthreads();
    for (unsigned k = 2 * step * threadIdx.x; k + step < count; k += 2 * step * blockDim.x)
      value[k] = F(value[k], value[k + step]);
  }
  __syncthreads();
}

/// All threads of a block fold n elements, 1 to Most, into *out. Neighbouring threads read neighbouring pairs, tile
/// after tile.
template <auto F, std::size_t Most, class T>
__device__ void fold_tree_in_block(T* out, const T* from, std::size_t n) {
  constexpr std::size_t tile = std::bit_floor(std::min<std::size_t>(2048, 32768 / sizeof(T))), tiles = Most / tile;
  alignas(T) __shared__ unsigned char memory[(tile / 2 + tiles) * sizeof(T)];
  T* pairs = reinterpret_cast<T*>(memory);
  T* folded = pairs + tile / 2;
  unsigned filled = 0;
  for (std::size_t begin = 0; begin < n; begin += tile) {
    const T* part = from + begin;
    const auto count = static_cast<unsigned>(n - begin < tile ? n - begin : tile);
    for (unsigned k = threadIdx.x; 2 * k < count; k += blockDim.x)
      pairs[k] = 2 * k + 1 < count ? F(part[2 * k], part[2 * k + 1]) : part[2 * k];
    fold_shared<F>(pairs, (count + 1) / 2);
    if (threadIdx.x == 0) folded[filled] = pairs[0];
    ++filled;
    __syncthreads();
  }
  fold_shared<F>(folded, filled);
  if (threadIdx.x == 0) *out = folded[0];
}

}  // namespace gs::inline GS_FLAVOUR::detail
