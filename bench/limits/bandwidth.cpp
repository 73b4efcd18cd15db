#include "bench/limits/bandwidth.h"

#include <omp.h>

#include <cstring>

namespace bench::limits {
namespace {

using bits = std::uint32_t __attribute__((vector_size(64), may_alias));

// Four chains, so that an exclusive or needn't wait for the previous one.
std::uint32_t read_lines(const bits* from, std::size_t lines) {
  bits chain[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= lines; i += 4)
    for (std::size_t k = 0; k < 4; ++k) chain[k] ^= from[i + k];
  for (; i < lines; ++i) chain[0] ^= from[i];
  const bits combined = chain[0] ^ chain[1] ^ chain[2] ^ chain[3];
  std::uint32_t result = 0;
  for (int k = 0; k < 16; ++k) result ^= combined[k];
  return result;
}

}  // namespace

std::size_t threads() { return static_cast<std::size_t>(omp_get_max_threads()); }
void use_threads(std::size_t count) { omp_set_num_threads(static_cast<int>(count)); }

void copy(std::span<const std::byte> from, std::span<std::byte> to, stores how) {
  const std::size_t lines = to.size() / sizeof(line);
  const auto* in = reinterpret_cast<const line*>(from.data());
  auto* out = reinterpret_cast<line*>(to.data());
  if (how == stores::plain) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < lines; ++i) out[i] = in[i];
  } else {
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
      for (std::size_t i = 0; i < lines; ++i) stream_line(out + i, in[i]);
      streaming_fence();
    }
  }
  const std::size_t done = lines * sizeof(line);
  if (done < to.size()) std::memcpy(to.data() + done, from.data() + done, to.size() - done);
}

void triad(std::span<float> a, std::span<const float> b, std::span<const float> c, stores how) {
  constexpr float scale = 3;
  const std::size_t width = sizeof(line) / sizeof(float), lines = a.size() / width;
  const auto* in_b = reinterpret_cast<const line*>(b.data());
  const auto* in_c = reinterpret_cast<const line*>(c.data());
  auto* out = reinterpret_cast<line*>(a.data());
  if (how == stores::plain) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < lines; ++i) out[i] = in_b[i] + scale * in_c[i];
  } else {
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
      for (std::size_t i = 0; i < lines; ++i) {
        const line sum = in_b[i] + scale * in_c[i];
        stream_line(out + i, sum);
      }
      streaming_fence();
    }
  }
  for (std::size_t i = lines * width; i < a.size(); ++i) a[i] = b[i] + scale * c[i];
}

std::uint32_t read(std::span<const std::byte> from) { return read_repeatedly(from, 1); }

std::uint32_t read_repeatedly(std::span<const std::byte> from, std::size_t passes) {
  const auto* in = reinterpret_cast<const bits*>(from.data());
  const std::size_t lines = from.size() / sizeof(bits);
  std::uint32_t result = 0;
#pragma omp parallel reduction(^ : result)
  {
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    const auto count = static_cast<std::size_t>(omp_get_num_threads());
    const std::size_t begin = lines * thread / count, end = lines * (thread + 1) / count;
    for (std::size_t pass = 0; pass < passes; ++pass) {
      result ^= read_lines(in + begin, end - begin);
      asm volatile("" ::: "memory");  // otherwise two passes over the same data would cancel out at compile time
    }
  }
  return result;
}

}  // namespace bench::limits
