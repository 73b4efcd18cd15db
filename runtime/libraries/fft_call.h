#pragma once
// A checked transform, as the libraries take it.

#include <array>
#include <compare>
#include <cstddef>
#include <string_view>

#include "runtime/core/config.h"
#include "runtime/libraries/fft.h"

namespace gs::inline GS_FLAVOUR::detail {

/// What a plan is made for: `rows` transforms, one after the other in memory, of `dimensions` extents each (the
/// extents of the real side for real transforms).
struct fft_layout {
  fft_kind kind;
  int dimensions;
  std::array<int, 2> extents;  ///< the second is 1 in one dimension
  int rows;

  friend auto operator<=>(const fft_layout&, const fft_layout&) = default;

  /// The numbers in each transform, real or complex; and in its spectrum, where rows of real numbers are shorter.
  std::size_t elements() const { return static_cast<std::size_t>(extents[0]) * static_cast<std::size_t>(extents[1]); }
  std::size_t spectrum_elements() const {
    const auto last = static_cast<std::size_t>(extents[dimensions == 1 ? 0 : 1]);
    return elements() / last * (last / 2 + 1);
  }
};

/// A transform in the precision T. real_inverse overwrites its input, so that is copied to `spectrum` first; else
/// `spectrum` is null.
template <class T>
struct fft_call {
  fft_layout layout;
  const void* in;
  void* out;
  void* spectrum;

  static std::string_view name() { return "fft"; }
  bool empty() const { return layout.rows == 0; }
  std::size_t spectrum_bytes() const {
    return layout.spectrum_elements() * static_cast<std::size_t>(layout.rows) * 2 * sizeof(T);
  }
  /// The factor of an inverse transform's output, whether there is one, and the number of real numbers in the output.
  T factor() const { return T(1) / static_cast<T>(layout.elements()); }
  bool scaled() const { return layout.kind == fft_kind::inverse || layout.kind == fft_kind::real_inverse; }
  std::size_t output_reals() const {
    return layout.elements() * static_cast<std::size_t>(layout.rows) * (layout.kind == fft_kind::inverse ? 2 : 1);
  }
};

void run_on_engine(const fft_call<float>& call);
void run_on_engine(const fft_call<double>& call);

}  // namespace gs::inline GS_FLAVOUR::detail
