#pragma once
// The engine's 3x3 convolution: sums of some pixels and a cache line of outputs stay in registers, as in the innermost
// part of a product of matrices (E. Georganas et al., "Anatomy of High-Performance Deep Learning Convolutions on SIMD
// Architectures", 2018).

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/numpy/creation.h"
#include "runtime/ufunc/execute.h"

namespace gs::inline GS_FLAVOUR::detail {

/// The channels of the neighbour in place 0 to 8, row by row, of a pixel of pictures (.., rows, columns, channels) that
/// begin at x; `outside` beyond the edge.
template <class T>
GS_FN const T* neighbour_in_place(const T* x, std::size_t pixel, std::size_t place, std::size_t rows,
                                  std::size_t columns, std::size_t channels, const T* outside) {
  const std::size_t row = pixel / columns % rows + place / 3, column = pixel % columns + place % 3;
  if (row < 1 || row > rows || column < 1 || column > columns) return outside;
  return x + (pixel + place / 3 * columns + place % 3 - (columns + 1)) * channels;
}

/// Outputs whose sums are a vector, and pixels that are computed together: six sums and a line of weights fit into the
/// 16 registers of AVX2, where each takes two.
template <class T>
inline constexpr std::size_t convolution_line = 64 / sizeof(T);
inline constexpr std::size_t convolution_group = 6;

/// Weights (3, 3, channels, outputs) as (lines, 9, channels, outputs of a line), with zeros in the last line for
/// outputs that don't exist.
template <class T>
struct weight_in_lines {
  const T* from;
  std::size_t channels, outputs;
  GS_FN T operator()(std::size_t i) const {
    constexpr std::size_t line = convolution_line<T>;
    const std::size_t rows = 9 * channels, output = i / (rows * line) * line + i % line;
    return output < outputs ? from[i / line % rows * outputs + output] : T(0);
  }
};

/// The convolution of pictures (.., rows, columns, channels) with such weights, a group of pixels after another.
template <class T>
struct convolution_in_registers {
  T* y;
  const T* x;
  const T* lines;
  const T* zeros;  ///< as many as there are channels: the pixels beyond the edge
  std::size_t pixels, rows, columns, channels, outputs;

  GS_FN std::size_t size() const { return (pixels + convolution_group - 1) / convolution_group; }
  std::size_t grain() const { return std::max<std::size_t>(1, (std::size_t{1} << 16) / (9 * channels * outputs)); }

  /// The neighbour of a pixel in place 0 to 8.
  GS_FN const T* neighbour(std::size_t pixel, std::size_t place) const {
    if (pixel >= pixels) return zeros;
    return neighbour_in_place(x, pixel, place, rows, columns, channels, zeros);
  }
  /// A group, number by number: what a GPU does.
  GS_FN void at(std::size_t group) const {
    for (std::size_t pixel = group * convolution_group; pixel < pixels && pixel < (group + 1) * convolution_group;
         ++pixel)
      for (std::size_t output = 0; output < outputs; ++output) {
        constexpr std::size_t line = convolution_line<T>;
        const T* w = lines + output / line * 9 * channels * line + output % line;
        T sum = 0;
        for (std::size_t place = 0; place < 9; ++place) {
          const T* const from = neighbour(pixel, place);
          for (std::size_t k = 0; k < channels; ++k, w += line) sum += from[k] * *w;
        }
        y[pixel * outputs + output] = sum;
      }
  }
  void run(std::size_t begin, std::size_t end) const {
    // An array of numbers isn't kept in registers by g++, vectors are.
    using line [[gnu::vector_size(64)]] = T;
    constexpr std::size_t length = convolution_line<T>, group = convolution_group;
    for (std::size_t first = begin * group; first < std::min(end * group, pixels); first += group) {
      const T* near[9][group];
      for (std::size_t place = 0; place < 9; ++place)
        for (std::size_t p = 0; p < group; ++p) near[place][p] = neighbour(first + p, place);
      const T* w = lines;
      for (std::size_t left = 0; left < outputs; left += length) {
        line sums[group] = {};
        for (std::size_t place = 0; place < 9; ++place) {
          const T* from[group];
          std::copy_n(near[place], group, from);
          for (std::size_t k = 0; k < channels; ++k, w += length) {
            line weights;
            std::memcpy(&weights, w, sizeof weights);
            for (std::size_t p = 0; p < group; ++p) sums[p] += from[p][k] * weights;
          }
        }
        const std::size_t count = std::min(length, outputs - left);
        for (std::size_t p = 0; p < std::min(group, pixels - first); ++p)
          std::memcpy(y + (first + p) * outputs + left, &sums[p], count * sizeof(T));
      }
    }
  }
};

/// y = x convolved with w; nothing is empty.
template <class T>
void convolve_in_registers(const device_array<T>& x, const device_array<T>& w, const device_array<T>& y) {
  constexpr std::size_t line = convolution_line<T>;
  const std::size_t channels = x.extent(3), outputs = w.extent(3), pixels = y.size() / outputs;
  const auto lines = filled_by_index<T>(shape({(outputs + line - 1) / line, std::size_t{9}, channels, line}),
                                        weight_in_lines<T>{w.data(), channels, outputs});
  const auto beyond_the_edge = zeros<T>(shape(channels));
  executor(target::device, nullptr)(convolution_in_registers<T>{
      y.data(), x.data(), lines.data(), beyond_the_edge.data(), pixels, x.extent(1), x.extent(2), channels, outputs});
}

}  // namespace gs::inline GS_FLAVOUR::detail
