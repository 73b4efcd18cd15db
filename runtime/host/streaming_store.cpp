#include "runtime/host/streaming_store.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>  // here and not in the header: it is two thirds as long as all the rest of gs.h
#endif

namespace gs::inline GS_FLAVOUR::detail {

// Data that fits a core's share of the caches is worth keeping there. Machines that share a large L3 among many
// programs report all of it; we never count on more than 32 MiB.
std::size_t streaming_threshold() {
  static const std::size_t threshold = [] {
    constexpr long most = 32 << 20;
    return static_cast<std::size_t>(std::clamp(sysconf(_SC_LEVEL3_CACHE_SIZE), long{least_streamed}, most));
  }();
  return threshold;
}

void stream_bytes(void* to, const void* from, std::size_t bytes) {
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
  // Whole cache lines are streamed; the bytes before the first and after the last are copied. Mostly there are none,
  // and calling memcpy for nothing would take a fifth of the time of 256 bytes.
  const std::size_t head = (line - reinterpret_cast<std::uintptr_t>(out) % line) % line;
  if (bytes < head + line) {
    std::memcpy(out, in, bytes);
    return;
  }
  if (head > 0) std::memcpy(out, in, head);
  std::size_t done = head;
  for (; done + line <= bytes; done += line)
    for (std::size_t k = 0; k < line; k += sizeof(vector)) stream(out + done + k, load(in + done + k));
  if (done < bytes) std::memcpy(out + done, in + done, bytes - done);
#else
  std::memcpy(to, from, bytes);
#endif
}

void streaming_fence() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

void copy_bytes(void* to, const void* from, std::size_t bytes, bool streaming) {
  if (!streaming) {
    std::memcpy(to, from, bytes);
    return;
  }
  stream_bytes(to, from, bytes);
  streaming_fence();
}

}  // namespace gs::inline GS_FLAVOUR::detail
