#pragma once
// Streaming stores: writing large outputs past the caches. A regular store first reads the line it will overwrite;
// a streaming store doesn't, which saves a third of the traffic of `z = x + y`.

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// Outputs of this many bytes or more don't fit the caches and are written with streaming stores. Never below
/// least_streamed, so that small work needn't ask.
std::size_t streaming_threshold();
inline constexpr std::size_t least_streamed = std::size_t{4} << 20;

/// Copies `bytes` from `from` to `to` with streaming stores. Ends without a fence: call streaming_fence() before
/// another thread reads what was written.
inline void stream_bytes(void* to, const void* from, std::size_t bytes) {
#if defined(__SSE2__)
#if defined(__AVX512F__)
  using vector = __m512i;
  const auto load = [](const char* p) { return _mm512_loadu_si512(p); };
  const auto stream = [](char* p, vector v) { _mm512_stream_si512(reinterpret_cast<vector*>(p), v); };
#elif defined(__AVX__)
  using vector = __m256i;
  const auto load = [](const char* p) { return _mm256_loadu_si256(reinterpret_cast<const vector*>(p)); };
  const auto stream = [](char* p, vector v) { _mm256_stream_si256(reinterpret_cast<vector*>(p), v); };
#else
  using vector = __m128i;
  const auto load = [](const char* p) { return _mm_loadu_si128(reinterpret_cast<const vector*>(p)); };
  const auto stream = [](char* p, vector v) { _mm_stream_si128(reinterpret_cast<vector*>(p), v); };
#endif
  constexpr std::size_t line = 64;
  auto* out = static_cast<char*>(to);
  const auto* in = static_cast<const char*>(from);
  // Whole cache lines are streamed; what lies before the first and after the last is copied.
  const std::size_t head = (line - reinterpret_cast<std::uintptr_t>(out) % line) % line;
  if (bytes < head + line) {
    std::memcpy(out, in, bytes);
    return;
  }
  std::memcpy(out, in, head);
  std::size_t done = head;
  for (; done + line <= bytes; done += line)
    for (std::size_t k = 0; k < line; k += sizeof(vector)) stream(out + done + k, load(in + done + k));
  std::memcpy(out + done, in + done, bytes - done);
#else
  std::memcpy(to, from, bytes);
#endif
}

/// Makes streamed data visible to other cores before anything that follows.
inline void streaming_fence() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

/// Copies `bytes`, past the caches if `streaming`.
inline void copy_bytes(void* to, const void* from, std::size_t bytes, bool streaming) {
  if (!streaming) {
    std::memcpy(to, from, bytes);
    return;
  }
  stream_bytes(to, from, bytes);
  streaming_fence();
}

}  // namespace gs::inline GS_FLAVOUR
