#pragma once
// Large transforms in two dimensions: each row, then each column, by plans of one dimension. The numbers of a column
// lie a row apart, often in the same few sets of a cache, so some columns at a time are copied into contiguous memory.
// (FFTW's own plans in two dimensions, made by estimate, transform columns in place and take 2.5 times as long for
// 2048 x 2048 complex64.)

#include <algorithm>
#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/host/cores.h"
#include "runtime/libraries/fftw.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Whether this pays: the lines must be neither few nor short, nor so long that each would be planned for several
/// cores.
inline bool is_by_lines(const fft_layout& l) {
  const auto fits = [](int n) { return n >= 64 && static_cast<std::size_t>(n) < least_parallel; };
  return l.dimensions == 2 && fits(l.extents[0]) && fits(l.extents[1]) && l.elements() >= least_parallel;
}

/// Plans for lines of one length, one for each alignment: rows of an odd number of points don't all begin at the same.
template <class T>
class line_plans {
 public:
  line_plans(fft_kind kind, int points) : layout_{kind, 1, {points, 1}, 1} {}

  void run(void* in, void* out) {
    using api = fftw<T>;
    const int in_alignment = api::alignment(static_cast<T*>(in)), out_alignment = api::alignment(static_cast<T*>(out));
    for (const aligned_plan& k : plans_)
      if (k.in_alignment == in_alignment && k.out_alignment == out_alignment && k.in_place == (in == out))
        return execute<T>(layout_.kind, k.plan, in, out);
    plans_.push_back({in_alignment, out_alignment, in == out, plans<T>().get(layout_, in, out)});
    execute<T>(layout_.kind, plans_.back().plan, in, out);
  }

 private:
  struct aligned_plan {
    int in_alignment, out_alignment;
    bool in_place;
    typename fftw<T>::plan plan;
  };
  fft_layout layout_;
  std::vector<aligned_plan> plans_;
};

/// Transforms `rows` rows of `points` points (of the real side). A step is a row's bytes. Real results are multiplied
/// by `factor`.
template <class T>
void transform_rows(fft_kind kind, int rows, int points, void* in, std::size_t in_step, void* out, std::size_t out_step,
                    T factor) {
  for_pieces(static_cast<std::size_t>(rows), 4, [&](std::size_t begin, std::size_t end) {
    line_plans<T> plans(kind, points);
    for (std::size_t row = begin; row < end; ++row) {
      void* to = static_cast<char*>(out) + row * out_step;
      plans.run(static_cast<char*>(in) + row * in_step, to);
      if (kind == fft_kind::real_inverse)
        for (int k = 0; k < points; ++k) static_cast<T*>(to)[k] *= factor;
    }
  });
}

/// Transforms the columns of a matrix of `rows` x `columns` complex numbers, in place if `in` is `out`, and
/// multiplies the results by `factor`. `kind` is forward or inverse.
template <class T>
void transform_columns(fft_kind kind, int rows, int columns, const std::complex<T>* in, std::complex<T>* out,
                       T factor) {
  using complex = std::complex<T>;
  constexpr std::size_t side_by_side = 128 / sizeof(complex), line = 64;  // two cache lines of each row; bytes
  const auto height = static_cast<std::size_t>(rows), width = static_cast<std::size_t>(columns);
  const std::size_t pitch =
      (height + 16) / 8 * 8;  // between columns: each begins on a cache line, few in the same sets
  for_pieces((width + side_by_side - 1) / side_by_side, 1, [&](std::size_t begin, std::size_t end) {
    std::size_t room = pitch * side_by_side * sizeof(complex) + line;
    const auto memory = std::make_unique_for_overwrite<std::byte[]>(room);
    void* aligned = memory.get();
    std::align(line, pitch * side_by_side * sizeof(complex), aligned, room);
    auto* const panel = static_cast<complex*>(aligned);
    line_plans<T> plans(kind, rows);
    for (std::size_t left = begin * side_by_side; left < std::min(end * side_by_side, width); left += side_by_side) {
      const std::size_t n = std::min(side_by_side, width - left);
      for (std::size_t row = 0; row < height; ++row)
        for (std::size_t k = 0; k < n; ++k) panel[k * pitch + row] = in[row * width + left + k];
      for (std::size_t k = 0; k < n; ++k) plans.run(panel + k * pitch, panel + k * pitch);
      for (std::size_t row = 0; row < height; ++row)
        for (std::size_t k = 0; k < n; ++k) out[row * width + left + k] = panel[k * pitch + row] * factor;
    }
  });
}

/// The whole transform, for a layout that is_by_lines().
template <class T>
void transform_by_lines(const fft_call<T>& call) {
  using complex = std::complex<T>;
  const fft_layout& l = call.layout;
  const auto [rows, columns] = l.extents;
  const int half = columns / 2 + 1;
  const std::size_t real_step = static_cast<std::size_t>(columns) * sizeof(T),
                    half_step = static_cast<std::size_t>(half) * sizeof(complex);
  const T factor = call.scaled() ? call.factor() : T(1);
  void* const in = const_cast<void*>(call.in);
  auto* const out = static_cast<complex*>(call.out);
  switch (l.kind) {
    case fft_kind::forward:
    case fft_kind::inverse:
      transform_rows<T>(l.kind, rows, columns, in, 2 * real_step, out, 2 * real_step, 1);
      return transform_columns<T>(l.kind, rows, columns, out, out, factor);
    case fft_kind::real_forward:
      transform_rows<T>(l.kind, rows, columns, in, real_step, out, half_step, 1);
      return transform_columns<T>(fft_kind::forward, rows, half, out, out, 1);
    case fft_kind::real_inverse: {
      auto* const spectrum = static_cast<complex*>(call.spectrum);
      transform_columns<T>(fft_kind::inverse, rows, half, static_cast<const complex*>(call.in), spectrum, 1);
      return transform_rows<T>(l.kind, rows, columns, spectrum, half_step, call.out, real_step, factor);
    }
  }
}

}  // namespace gs::inline GS_FLAVOUR::detail
