#pragma once
// cub::DeviceHistogram: CUB, "Device-wide primitives".

#include <atomic>

#include "dialect/cub/device_call.h"

namespace cub {

/// Counts samples in `num_levels - 1` bins; a bin holds what is at least its lower level and less than the next one.
/// The counts are new: what was there is lost. Samples outside of all bins don't count.
struct DeviceHistogram {
  /// Bins of equal widths.
  template <class Samples, class Counter, class Level, class Count>
  static cudaError_t HistogramEven(void* d_temp_storage, std::size_t& temp_storage_bytes, Samples d_samples,
                                   Counter* d_histogram, int num_levels, Level lower_level, Level upper_level,
                                   Count num_samples, cudaStream_t stream = nullptr) {
    const auto bins = static_cast<Level>(num_levels - 1);
    const auto bin_of = [=](const auto& sample) -> int {
      const auto s = static_cast<Level>(sample);
      if (!(s >= lower_level && s < upper_level)) return -1;
      if constexpr (std::is_integral_v<Level>)
        return static_cast<int>(static_cast<unsigned long long>(s - lower_level) *
                                static_cast<unsigned long long>(bins) /
                                static_cast<unsigned long long>(upper_level - lower_level));
      else
        return std::min(static_cast<int>((s - lower_level) * (bins / (upper_level - lower_level))), num_levels - 2);
    };
    return count("cub::DeviceHistogram::HistogramEven", d_temp_storage, temp_storage_bytes, d_samples, d_histogram,
                 num_levels, num_samples, bin_of, stream, detail::reads("d_levels", d_histogram, 0));
  }
  /// Between the given levels, which ascend.
  template <class Samples, class Counter, class Level, class Count>
  static cudaError_t HistogramRange(void* d_temp_storage, std::size_t& temp_storage_bytes, Samples d_samples,
                                    Counter* d_histogram, int num_levels, const Level* d_levels, Count num_samples,
                                    cudaStream_t stream = nullptr) {
    const auto bin_of = [=](const auto& sample) -> int {
      const auto above = std::upper_bound(d_levels, d_levels + num_levels, static_cast<Level>(sample)) - d_levels;
      return above == num_levels ? -1 : static_cast<int>(above) - 1;
    };
    return count("cub::DeviceHistogram::HistogramRange", d_temp_storage, temp_storage_bytes, d_samples, d_histogram,
                 num_levels, num_samples, bin_of, stream, detail::reads("d_levels", d_levels, num_levels));
  }

 private:
  template <class Samples, class Counter, class Count, class Bin, class Levels>
  static cudaError_t count(const char* name, void* storage, std::size_t& bytes, Samples samples, Counter* histogram,
                           int levels, Count samples_given, Bin bin_of, cudaStream_t stream, Levels read_levels) {
    const auto n = static_cast<std::size_t>(std::max<Count>(samples_given, 0));
    const int bins = std::max(levels - 1, 0);
    return detail::device_call(name, storage, bytes, stream)
        .queue(
            [=](gs::detail::spread_function spread) {
              std::fill_n(histogram, bins, Counter{});
              detail::for_pieces(n, spread, [&](std::size_t, std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i)
                  if (const int bin = bin_of(samples[i]); bin >= 0)
                    std::atomic_ref(histogram[bin]).fetch_add(Counter{1});
              });
            },
            detail::reads("d_samples", samples, samples_given), detail::writes("d_histogram", histogram, bins),
            read_levels);
  }
};

}  // namespace cub
