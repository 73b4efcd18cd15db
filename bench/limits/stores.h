#pragma once
// Two ways to write an array: plain stores through the caches, and streaming stores past them.

#include <cstddef>
#include <cstring>
#include <string>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace bench {

/// A plain store first reads the cache line that it changes; a streaming one (non-temporal, x86) doesn't, which saves
/// a third of the traffic of `z = x + y`. Streaming wins on arrays beyond the caches and loses within them.
enum class stores { plain, streaming };
inline std::string to_string(stores how) { return how == stores::plain ? "plain stores" : "streaming stores"; }

/// One cache line of float32, in as many registers as the machine needs for it (a vector type of g++ and clang).
using line = float __attribute__((vector_size(64), may_alias));

/// Writes one line past the caches; `to` is a multiple of 64. A plain store on machines without streaming stores.
inline void stream_line(line* to, const line& value) {
#if defined(__AVX512F__)
  _mm512_stream_ps(reinterpret_cast<float*>(to), reinterpret_cast<const __m512&>(value));
#elif defined(__AVX__)
  const auto* half = reinterpret_cast<const __m256*>(&value);
  for (int k = 0; k < 2; ++k) _mm256_stream_ps(reinterpret_cast<float*>(to) + 8 * k, half[k]);
#elif defined(__SSE2__)
  const auto* quarter = reinterpret_cast<const __m128*>(&value);
  for (int k = 0; k < 4; ++k) _mm_stream_ps(reinterpret_cast<float*>(to) + 4 * k, quarter[k]);
#else
  *to = value;
#endif
}

/// Copies `bytes`, a multiple of 64, past the caches. Both addresses are multiples of 64.
inline void stream_lines(void* to, const void* from, std::size_t bytes) {
  auto* out = static_cast<line*>(to);
  const auto* in = static_cast<const line*>(from);
  for (std::size_t i = 0; i < bytes / sizeof(line); ++i) stream_line(out + i, in[i]);
}

/// Streamed data is visible to other cores before anything that follows.
inline void streaming_fence() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace bench
