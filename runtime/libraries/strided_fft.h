#pragma once
// strided_fft: Fourier transforms of arrays whose elements lie apart, in up to three dimensions, by FFTW on the engine.
// gs::fft needs none of this; CUDA's library takes such layouts (dialect/libraries/cufft.h).

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "runtime/core/config.h"
#include "runtime/libraries/fft.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Where the numbers of one side lie, counted in numbers of its kind: element (i, j, k) of transform b is
/// b * distance + ((i * width[1] + j) * width[2] + k) * stride in three dimensions, and so on in fewer.
struct fft_side {
  std::array<int, 3> width{};  ///< of each dimension in memory; that of the first counts for nothing
  int stride = 1, distance = 0;
  friend auto operator<=>(const fft_side&, const fft_side&) = default;
};

/// `extents` are those of the real side for real transforms, whose spectrum has n / 2 + 1 numbers along the last one.
struct strided_fft_layout {
  fft_kind kind = fft_kind::forward;
  int dimensions = 1;
  std::array<int, 3> extents{1, 1, 1};
  int batch = 1;
  fft_side in, out;
  friend auto operator<=>(const strided_fft_layout&, const strided_fft_layout&) = default;

  /// How many numbers a side has along the last dimension.
  int last_extent(bool is_in) const {
    const int last = extents[static_cast<std::size_t>(dimensions - 1)];
    const bool is_spectrum = is_in ? kind == fft_kind::real_inverse : kind == fft_kind::real_forward;
    return is_spectrum ? last / 2 + 1 : last;
  }
  /// Calls visit(offset of the first number) for each row along the last dimension of a side.
  template <class Visit>
  void for_each_row(const fft_side& side, Visit visit) const {
    const int planes = dimensions == 3 ? extents[0] : 1, rows = dimensions == 1 ? 1 : extents[dimensions == 3 ? 1 : 0];
    const auto last = static_cast<std::size_t>(dimensions - 1);
    for (std::ptrdiff_t b = 0; b < batch; ++b)
      for (std::ptrdiff_t i = 0; i < planes; ++i)
        for (std::ptrdiff_t j = 0; j < rows; ++j) {
          const std::ptrdiff_t row = dimensions == 3 ? i * side.width[1] + j : j;
          visit(b * side.distance + row * side.width[last] * side.stride);
        }
  }
};

/// Runs it on the calling thread and the engine's cores: sums without a factor, as FFTW's. In place where `in` is
/// `out`. A real inverse in two or three dimensions uses its input as room. Throws gs::error if FFTW has no such plan.
template <class T>
void run_strided_fft(const strided_fft_layout& layout, void* in, void* out);

}  // namespace gs::inline GS_FLAVOUR::detail
