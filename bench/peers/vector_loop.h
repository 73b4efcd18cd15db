#pragma once
// The loops of the peers: one function of the index, vectorised and spread over the cores.

#include <cstddef>
#include <cstdint>

#include "bench/limits/stores.h"

namespace bench::peers {

/// True if `out` can be streamed to.
inline bool can_stream(const void* out) { return reinterpret_cast<std::uintptr_t>(out) % sizeof(line) == 0; }

/// out[i] = f(i) for i in [0, n), on all cores. The compiler can't put streaming stores after calls of libmvec, so
/// each core computes a few lines into a buffer that never leaves its L1 cache and streams them from there. `out` is a
/// multiple of 64.
template <class T, class F>
void streamed_loop(T* out, std::size_t n, F f) {
  constexpr std::size_t block = 1024 / sizeof(T);
  const std::size_t blocks = n / block;
#pragma omp parallel
  {
    alignas(sizeof(line)) T buffer[block];
#pragma omp for schedule(static) nowait
    for (std::size_t b = 0; b < blocks; ++b) {
#pragma omp simd
      for (std::size_t i = 0; i < block; ++i) buffer[i] = f(b * block + i);
      stream_lines(out + b * block, buffer, sizeof buffer);
    }
    streaming_fence();
  }
  for (std::size_t i = blocks * block; i < n; ++i) out[i] = f(i);
}

/// The same with plain stores.
template <class T, class F>
void plain_loop(T* out, std::size_t n, F f) {
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < n; ++i) out[i] = f(i);
}

/// One of the two: as `how` says, if `out` allows it.
template <class T, class F>
void vector_loop(T* out, std::size_t n, stores how, F f) {
  if (how == stores::streaming && can_stream(out))
    streamed_loop(out, n, f);
  else
    plain_loop(out, n, f);
}

}  // namespace bench::peers
