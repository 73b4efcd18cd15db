#pragma once
// gs::max_pooling_2x2: the largest of each 2 x 2 elements of pictures.

#include <cstddef>
#include <source_location>
#include <tuple>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/grad/tape.h"
#include "runtime/kernel/thread.h"
#include "runtime/launch/launch.h"
#include "runtime/layers/layer_errors.h"
#include "runtime/layers/over_pictures.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

// Which of the 2 x 2 elements from (row, column) on is the largest: 0 to 3, row by row, the first of equal ones; a NaN
// is larger than every number.
template <class T>
GS_FN unsigned largest_of_window(const view<const T, 4>& x, std::size_t picture, std::size_t row, std::size_t column,
                                 std::size_t channel) {
  unsigned position = 0;
  T largest = x(picture, row, column, channel);
  for (unsigned k = 1; k < 4; ++k) {
    const T element = x(picture, row + k / 2, column + k % 2, channel);
    const bool larger = element > largest || (element != element && largest == largest);
    position = larger ? k : position;
    largest = larger ? element : largest;
  }
  return position;
}

// A thread has a channel of a window.
template <class T>
GS_FN void pool_windows(thread t, view<const T, 4> x, view<T, 4> y) {
  const std::size_t rows = y.extent(1), columns = y.extent(2);
  for (auto window : t.grid_stride_y(y.extent(0) * rows * columns)) {
    const std::size_t picture = window / (rows * columns), row = window / columns % rows, column = window % columns;
    for (auto channel : t.grid_stride(y.extent(3))) {
      const unsigned k = largest_of_window(x, picture, 2 * row, 2 * column, channel);
      y(picture, row, column, channel) = x(picture, 2 * row + k / 2, 2 * column + k % 2, channel);
    }
  }
}

// A thread writes what a window of x covers, even one that hangs over the edge, whose gradient is 0: no two threads
// write the same element.
template <class T>
GS_FN void unpool_windows(thread t, view<const T, 4> gradient, view<const T, 4> x, view<T, 4> by_x) {
  const std::size_t rows = (x.extent(1) + 1) / 2, columns = (x.extent(2) + 1) / 2;
  for (auto window : t.grid_stride_y(x.extent(0) * rows * columns)) {
    const std::size_t picture = window / (rows * columns), row = window / columns % rows, column = window % columns;
    const bool whole = row < gradient.extent(1) && column < gradient.extent(2);
    for (auto channel : t.grid_stride(x.extent(3))) {
      const unsigned chosen = whole ? largest_of_window(x, picture, 2 * row, 2 * column, channel) : 4;
      for (unsigned k = 0; k < 4; ++k) {
        const std::size_t y = 2 * row + k / 2, z = 2 * column + k % 2;
        if (y < x.extent(1) && z < x.extent(2))
          by_x(picture, y, z, channel) = k == chosen ? gradient(picture, row, column, channel) : T(0);
      }
    }
  }
}

inline shape pooled_shape(const shape& x) {
  check_pictures("2x2 max pooling", x);
  return {x[0], x[1] / 2, x[2] / 2, x[3]};
}

}  // namespace detail

/// The largest of each 2 x 2 elements of pictures x (batch, rows, columns, channels): an array of shape (batch, rows /
/// 2, columns / 2, channels). An odd last row or column is left out. NaN where a window has one. Throws gs::error for
/// another rank.
template <class T>
device_array<T> max_pooling_2x2(const device_array<T>& x) {
  device_array<T> y(detail::pooled_shape(x.shape()));
  if (y.size() > 0) launch<detail::pool_windows<T>>(detail::over_pictures(y.size() / y.extent(3), y.extent(3)), x, y);
  return y;
}

/// The gradient by x from that of the result: each goes to the window's largest element, of equal ones to the first.
template <class T>
device_array<T> max_pooling_2x2_adjoint(const device_array<T>& gradient, const device_array<T>& x) {
  detail::check_layer_gradient("2x2 max pooling", gradient.shape(), detail::pooled_shape(x.shape()));
  device_array<T> by_x(x.shape());
  if (x.size() > 0)
    launch<detail::unpool_windows<T>>(
        detail::over_pictures(x.extent(0) * ((x.extent(1) + 1) / 2) * ((x.extent(2) + 1) / 2), x.extent(3)), gradient,
        x, by_x);
  return by_x;
}

/// The same, recorded.
template <class T>
variable<T> max_pooling_2x2(tape& recorder, const variable<T>& x,
                            const std::source_location& place = std::source_location::current()) {
  const auto forward = [](const device_array<T>& pictures) { return max_pooling_2x2(pictures); };
  const auto adjoint = [](const device_array<T>& gradient, const device_array<T>& pictures) {
    return std::tuple(max_pooling_2x2_adjoint(gradient, pictures));
  };
  return recorder.call(forward, adjoint, x, place);
}

}  // namespace gs::inline GS_FLAVOUR
