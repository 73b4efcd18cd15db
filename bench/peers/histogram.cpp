#include <algorithm>
#include <cstddef>
#include <vector>

#include "bench/peers/peers.h"

namespace bench::peers {
namespace {

std::uint32_t bin_of(float x, float low, float scale, std::uint32_t bins) {
  const float position = (x - low) * scale;
  return position >= 0 && position < static_cast<float>(bins) ? static_cast<std::uint32_t>(position) : bins;
}

}  // namespace

void histogram(std::span<const float> x, float low, float scale, std::span<std::uint32_t> counts) {
  // Bins are computed by vectors, counting is done one by one. An addition to a counter that is still being
  // stored waits for that, so consecutive values go to different copies of the counters.
  constexpr std::size_t batch = 256, copies = 8;
  const auto bins = static_cast<std::uint32_t>(counts.size() - 1);
  const std::size_t batches = x.size() / batch;
  std::ranges::fill(counts, 0u);
#pragma omp parallel
  {
    std::vector<std::uint32_t> own(copies * counts.size());
    std::uint32_t* const count = own.data();
    alignas(64) std::uint32_t bin[batch];
#pragma omp for schedule(static) nowait
    for (std::size_t b = 0; b < batches; ++b) {
      const float* const in = x.data() + b * batch;
#pragma omp simd
      for (std::size_t i = 0; i < batch; ++i) bin[i] = bin_of(in[i], low, scale, bins);
      for (std::size_t i = 0; i < batch; i += copies)
#pragma GCC unroll 8
        for (std::size_t k = 0; k < copies; ++k) ++count[copies * bin[i + k] + k];
    }
#pragma omp critical
    for (std::size_t i = 0; i < own.size(); ++i) counts[i / copies] += own[i];
  }
  for (const float value : x.subspan(batches * batch)) ++counts[bin_of(value, low, scale, bins)];
}

void histogram_with_atomics(std::span<const float> x, float low, float scale, std::span<std::uint32_t> counts) {
  const auto bins = static_cast<std::uint32_t>(counts.size() - 1);
  std::ranges::fill(counts, 0u);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < x.size(); ++i) {
#pragma omp atomic
    ++counts[bin_of(x[i], low, scale, bins)];
  }
}

}  // namespace bench::peers
