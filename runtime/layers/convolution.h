#pragma once
// gs::convolution_3x3: pictures of channels, convolved with 3 x 3 weights, in four ways.

#include <algorithm>
#include <cstddef>
#include <source_location>
#include <tuple>

#include "runtime/array/device_array.h"
#include "runtime/array/fixed_array.h"
#include "runtime/core/config.h"
#include "runtime/grad/tape.h"
#include "runtime/kernel/block.h"
#include "runtime/kernel/shared.h"
#include "runtime/kernel/thread.h"
#include "runtime/launch/launch.h"
#include "runtime/layers/convolution_in_registers.h"
#include "runtime/layers/layer_errors.h"
#include "runtime/layers/over_pictures.h"
#include "runtime/libraries/gemm.h"
#include "runtime/numpy/numpy.h"

namespace gs::inline GS_FLAVOUR {

/// How a convolution is computed.
enum class convolution_method {
  fastest,   ///< in registers on the engine, by im2col on a GPU
  direct,    ///< a thread for one element of the result
  im2col,    ///< the 3 x 3 pixels around each are a row of a matrix, in pieces of a few MiB, which gs::gemm multiplies
             ///< with the weights (K. Chellapilla et al., "High Performance Convolutional Neural Networks for Document
             ///< Processing", 2006)
  block,     ///< the same product in tiles in shared memory, filled from the pictures themselves: no matrix is made
  registers  ///< sums of some pixels and a cache line of outputs in registers; on a GPU this gains nothing
};

namespace detail {

// A thread has one element of the result; threads side by side have outputs side by side.
template <class T>
GS_FN void convolve_directly(thread t, view<const T, 4> x, view<const T, 4> w, view<T, 4> y) {
  const std::size_t rows = x.extent(1), columns = x.extent(2), channels = x.extent(3);
  for (auto pixel : t.grid_stride_y(x.extent(0) * rows * columns)) {
    const std::size_t picture = pixel / (rows * columns), row = pixel / columns % rows, column = pixel % columns;
    const unsigned first_row = row == 0 ? 1 : 0, last_row = row + 1 == rows ? 1 : 2;
    const unsigned first_column = column == 0 ? 1 : 0, last_column = column + 1 == columns ? 1 : 2;
    for (auto output : t.grid_stride(w.extent(3))) {
      T sum = 0;
      for (unsigned i = first_row; i <= last_row; ++i)
        for (unsigned j = first_column; j <= last_column; ++j)
          for (std::size_t k = 0; k < channels; ++k)
            sum += x(picture, row + i - 1, column + j - 1, k) * w(i, j, k, output);
      y(picture, row, column, output) = sum;
    }
  }
}

// Pixels and outputs of a block, and channels of a tile.
inline constexpr unsigned convolution_side = 16, convolution_own = 4, convolution_wide = 64, convolution_deep = 32;

template <class T>
struct convolution_tiles {
  tile<T, convolution_wide, convolution_deep + 4> x;  // so that two rows that a warp reads don't lie in the same banks
  tile<T, convolution_deep, convolution_wide> w;
  tile<std::size_t, convolution_wide> row, column;  // of the block's pixels
};

// Pictures and result as matrices of pixels. A product of matrices (pixels, channels) and (channels, outputs) for each
// of the nine places. A thread has 4 x 4 elements, a block's side apart.
template <class T>
GS_FN void convolve_in_blocks(block<convolution_side, convolution_side> block, shared<convolution_tiles<T>> s,
                              std::size_t rows, std::size_t columns, view<const T, 2> x, view<const T, 4> w,
                              view<T, 2> y) {
  constexpr unsigned side = convolution_side, own = convolution_own, wide = convolution_wide, deep = convolution_deep;
  using numbers = local_array<T, own, own>;
  const std::size_t pixels = y.extent(0), channels = x.extent(1), outputs = y.extent(1);
  const std::size_t top = std::size_t{wide} * block.block_idx().x, left = std::size_t{wide} * block.block_idx().y;
  per_thread sums(block, numbers{});
  block.each_of(wide, [&](auto i) {
    s->row[i] = (top + i) / columns % rows;
    s->column[i] = (top + i) % columns;
  });
  for (unsigned place = 0; place < 9; ++place) {
    const unsigned down = place / 3, across = place % 3;  // 0 to 2: one less is how far the neighbour lies
    for (std::size_t k = 0; k < channels; k += deep) {
      block.each([&](auto t) {
        for (unsigned i = t.y; i < wide; i += side) {
          const std::size_t row = s->row[i] + down, column = s->column[i] + across;
          const bool inside = top + i < pixels && row >= 1 && row <= rows && column >= 1 && column <= columns;
          const std::size_t pixel = top + i + (down * columns + across) - (columns + 1);
          for (unsigned j = t.x; j < deep; j += side) s->x(i, j) = inside && k + j < channels ? x(pixel, k + j) : T(0);
        }
      });
      block.each([&](auto t) {
        for (unsigned i = t.y; i < deep; i += side)
          for (unsigned j = t.x; j < wide; j += side)
            s->w(i, j) = k + i < channels && left + j < outputs ? w(down, across, k + i, left + j) : T(0);
      });
      block.each([&](auto t) {
        numbers mine = sums[t];
        for (unsigned i = 0; i < deep; ++i)
          for (unsigned a = 0; a < own; ++a)
            for (unsigned b = 0; b < own; ++b) mine(a, b) += s->x(t.y + a * side, i) * s->w(i, t.x + b * side);
        sums[t] = mine;
      });
    }
  }
  block.each([&](auto t) {
    const numbers mine = sums[t];
    for (unsigned a = 0; a < own; ++a)
      for (unsigned b = 0; b < own; ++b) {
        const std::size_t pixel = top + t.y + a * side, output = left + t.x + b * side;
        if (pixel < pixels && output < outputs) y(pixel, output) = mine(a, b);
      }
  });
}

// The surroundings of each pixel as a row: nine times its channels, 0 beyond the edge.
template <class T>
struct surroundings {
  T* to;
  const T* from;
  std::size_t pictures, rows, columns, channels;

  GS_FN std::size_t size() const { return pictures * rows * columns * 9 * channels; }
  std::size_t grain() const { return std::size_t{1} << 14; }
  // Where neighbour number i / channels of pixel i / (9 channels) begins; null beyond the edge.
  GS_FN const T* neighbour(std::size_t i) const {
    return neighbour_in_place(from, i / channels / 9, i / channels % 9, rows, columns, channels,
                              static_cast<const T*>(nullptr));
  }
  GS_FN void at(std::size_t i) const {
    const T* const begin = neighbour(i);
    to[i] = begin ? begin[i % channels] : T(0);
  }
  void run(std::size_t begin, std::size_t end) const {
    while (begin < end) {
      const std::size_t channel = begin % channels, count = std::min(channels - channel, end - begin);
      if (const T* const first = neighbour(begin))
        std::copy_n(first + channel, count, to + begin);
      else
        std::fill_n(to + begin, count, T(0));
      begin += count;
    }
  }
};

// Calls `body` with pieces of the batch and the matrix of their surroundings, one picture at least, a few MiB at most:
// what has just been written is read from a cache.
template <class T, class Body>
void for_surroundings(const device_array<T>& x, const Body& body) {
  const std::size_t pixels = x.extent(1) * x.extent(2), row = 9 * x.extent(3);
  const std::size_t together =
      std::clamp<std::size_t>((std::size_t{1} << 22) / (pixels * row * sizeof(T)), 1, x.extent(0));
  device_array<T> matrix(shape({together * pixels, row}));
  for (std::size_t begin = 0; begin < x.extent(0); begin += together) {
    const std::size_t end = std::min(begin + together, x.extent(0));
    const device_array<T> part = matrix.slice(0, (end - begin) * pixels);
    executor(target::device, nullptr)(
        surroundings<T>{part.data(), x.slice(begin, end).data(), end - begin, x.extent(1), x.extent(2), x.extent(3)});
    body(begin, end, part);
  }
}

// The weights of the adjoint by x: turned by 180 degrees, with inputs and outputs exchanged.
template <class T>
device_array<T> turned_weights(const device_array<T>& w) {
  const std::size_t channels = w.extent(2), outputs = w.extent(3);
  const auto backwards = arange(8, -1, -1);
  return take(transpose(w.reshape(shape({std::size_t{9}, channels, outputs})), {0, 2, 1}), backwards, axis(0))
      .reshape(shape({std::size_t{3}, std::size_t{3}, outputs, channels}));
}

inline shape convolved_shape(const shape& x, const shape& w) {
  check_convolution(x, w);
  return {x[0], x[1], x[2], w[3]};
}

}  // namespace detail

/// The sum over the 3 x 3 pixels around each, and over their channels, of pixel times weight; beyond the edge pixels
/// are 0. Pictures x (batch, rows, columns, channels) and weights w (3, 3, channels, outputs) give (batch, rows,
/// columns, outputs); float or double. (Weights aren't turned over: it is what statistics calls a correlation.) Throws
/// gs::error for other shapes.
template <class T>
device_array<T> convolution_3x3(const device_array<T>& x, const device_array<T>& w,
                                convolution_method method = convolution_method::fastest) {
  const shape extents = detail::convolved_shape(x.shape(), w.shape());
  if (extents.size() == 0 || x.extent(3) == 0) return zeros<T>(extents);
  device_array<T> y(extents);
  const std::size_t outputs = w.extent(3), pixels = y.size() / outputs;
  if (method == convolution_method::fastest)
    method = x.kind() == device_kind::engine ? convolution_method::registers : convolution_method::im2col;
  switch (method) {
    case convolution_method::fastest:  // replaced above
    case convolution_method::registers:
      detail::convolve_in_registers(x, w, y);
      break;
    case convolution_method::direct:
      launch<detail::convolve_directly<T>>(detail::over_pictures(pixels, outputs), x, w, y);
      break;
    case convolution_method::im2col:
      detail::for_surroundings(x, [&, pixels = x.extent(1) * x.extent(2)](std::size_t begin, std::size_t end,
                                                                          const device_array<T>& matrix) {
        device_array<T> part = y.slice(begin, end).reshape(shape({(end - begin) * pixels, outputs}));
        gemm(matrix, w.reshape(shape({matrix.extent(1), outputs})), out(part));
      });
      break;
    case convolution_method::block:
      constexpr std::size_t wide = detail::convolution_wide;
      launch<detail::convolve_in_blocks<T>>({.grid = {(pixels + wide - 1) / wide, (outputs + wide - 1) / wide},
                                             .block = {detail::convolution_side, detail::convolution_side}},
                                            x.extent(1), x.extent(2), x.reshape(shape({pixels, x.extent(3)})), w,
                                            y.reshape(shape({pixels, outputs})));
  }
  return y;
}

/// The gradient by x from that of the result: a convolution with the weights turned.
template <class T>
device_array<T> convolution_3x3_adjoint_of_pictures(const device_array<T>& gradient, const device_array<T>& w,
                                                    convolution_method method = convolution_method::fastest) {
  return convolution_3x3(gradient, detail::turned_weights(w), method);
}

/// The gradient by w, (3, 3, channels, outputs), from that of the result.
template <class T>
device_array<T> convolution_3x3_adjoint_of_weights(const device_array<T>& gradient, const device_array<T>& x) {
  detail::check_pictures("a 3x3 convolution", x.shape());
  const std::size_t channels = x.extent(3), outputs = gradient.rank() == 4 ? gradient.extent(3) : 1;
  detail::check_layer_gradient("a 3x3 convolution", gradient.shape(), {x.extent(0), x.extent(1), x.extent(2), outputs});
  auto by_w = zeros<T>(shape({9 * channels, outputs}));
  if (x.size() > 0 && outputs > 0)
    detail::for_surroundings(
        x, [&, pixels = x.extent(1) * x.extent(2)](std::size_t begin, std::size_t end, const device_array<T>& matrix) {
          const auto part = gradient.slice(begin, end).reshape(shape({(end - begin) * pixels, outputs}));
          gemm(matrix, part, out(by_w), {.beta = 1, .transpose_a = true});
        });
  return by_w.reshape(shape({std::size_t{3}, std::size_t{3}, channels, outputs}));
}

/// The same as convolution_3x3, recorded. The pictures are a variable, or an array that is a constant and gets no
/// gradient.
template <class X, class T>
variable<T> convolution_3x3(tape& recorder, const X& x, const variable<T>& w,
                            convolution_method method = convolution_method::fastest,
                            const std::source_location& place = std::source_location::current()) {
  if constexpr (detail::any_variable<X>) {
    const auto forward = [=](const device_array<T>& pictures, const device_array<T>& weights) {
      return convolution_3x3(pictures, weights, method);
    };
    const auto adjoint = [=](const device_array<T>& gradient, const device_array<T>& pictures,
                             const device_array<T>& weights) {
      return std::tuple(convolution_3x3_adjoint_of_pictures(gradient, weights, method),
                        convolution_3x3_adjoint_of_weights(gradient, pictures));
    };
    return recorder.call(forward, adjoint, x, w, place);
  } else {
    const auto forward = [&](const device_array<T>& weights) { return convolution_3x3(x, weights, method); };
    const auto adjoint = [kept = detail::kept_array<T>(x, place)](const device_array<T>& gradient,
                                                                  const device_array<T>&) {
      return std::tuple(convolution_3x3_adjoint_of_weights(gradient, kept.get()));
    };
    return recorder.call(forward, adjoint, w, place);
  }
}

}  // namespace gs::inline GS_FLAVOUR
