#pragma once
// Sums, means, extremes and running sums of device arrays, under NumPy's names.

#include <cstdint>
#include <type_traits>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/math/sum.h"
#include "runtime/numpy/arithmetic.h"
#include "runtime/numpy/comparison.h"
#include "runtime/numpy/creation.h"
#include "runtime/numpy/elementary.h"
#include "runtime/ufunc/axis.h"
#include "runtime/ufunc/vectorize.h"

namespace gs::inline GS_FLAVOUR {

namespace scalar_functions {
struct squared_distance {
  template <class T>
  GS_FN T operator()(T a, T b) const {
    return (a - b) * (a - b);
  }
};
struct count_of_nonzero {
  template <class T>
  GS_FN std::int64_t operator()(T x) const {
    return x != T(0);
  }
};
}  // namespace scalar_functions

/// The sum of all elements of a device array, an array of shape (), or along an axis; 0 of no elements. In the
/// elements' type (NumPy widens short integers), in a tree, as every reduction: see gs::reduce.
///@{
template <any_device_array A>
auto sum(const A& x) {
  return add.reduce(x, initial(detail::element_t<A>(0)));
}
template <any_device_array A>
auto sum(const A& x, axis along) {
  return add.reduce(x, along, initial(detail::element_t<A>(0)));
}
///@}
/// The product likewise; 1 of no elements.
///@{
template <any_device_array A>
auto prod(const A& x) {
  return multiply.reduce(x, initial(detail::element_t<A>(1)));
}
template <any_device_array A>
auto prod(const A& x, axis along) {
  return multiply.reduce(x, along, initial(detail::element_t<A>(1)));
}
///@}

/// The largest and the smallest element; NaN if one is NaN. Throws gs::error for no elements.
///@{
template <any_device_array A>
auto max(const A& x) {
  return maximum.reduce(x);
}
template <any_device_array A>
auto max(const A& x, axis along) {
  return maximum.reduce(x, along);
}
template <any_device_array A>
auto min(const A& x) {
  return minimum.reduce(x);
}
template <any_device_array A>
auto min(const A& x, axis along) {
  return minimum.reduce(x, along);
}
///@}
/// The distance between them.
template <any_device_array A>
auto ptp(const A& x) {
  return subtract(max(x), min(x));
}

/// Whether some element, or every one, isn't 0: 1 or 0.
///@{
template <any_device_array A>
auto any(const A& x) {
  return logical_or.reduce(not_equal(x, detail::element_t<A>(0)), initial(truth{0}));
}
template <any_device_array A>
auto any(const A& x, axis along) {
  return logical_or.reduce(not_equal(x, detail::element_t<A>(0)), along, initial(truth{0}));
}
template <any_device_array A>
auto all(const A& x) {
  return logical_and.reduce(not_equal(x, detail::element_t<A>(0)), initial(truth{1}));
}
template <any_device_array A>
auto all(const A& x, axis along) {
  return logical_and.reduce(not_equal(x, detail::element_t<A>(0)), along, initial(truth{1}));
}
///@}
/// How many elements aren't 0.
template <any_device_array A>
auto count_nonzero(const A& x) {
  constexpr auto as_count = vectorize<scalar_functions::count_of_nonzero{}>;
  return sum(as_count(x));
}

/// The mean of float or double: the sum divided by the number of elements; NaN of none.
///@{
template <any_device_array A>
auto mean(const A& x) {
  using T = detail::element_t<A>;
  static_assert(std::is_floating_point_v<T>, "mean takes arrays of float or of double");
  return divide(sum(x), static_cast<T>(x.size()));
}
template <any_device_array A>
auto mean(const A& x, axis along) {
  using T = detail::element_t<A>;
  static_assert(std::is_floating_point_v<T>, "mean takes arrays of float or of double");
  return divide(sum(x, along), static_cast<T>(detail::split_at(x.shape(), along).length));
}
///@}

namespace detail {

// This shape with an extent of 1 where an axis was reduced.
inline shape kept_shape(const shape& extents, axis along) {
  shape kept = extents;
  kept[split_at(extents, along).number] = 1;
  return kept;
}

}  // namespace detail

/// The variance of float or double: the mean of the squared distances from the mean, in two passes. The divisor is
/// n - `degrees`, NumPy's ddof.
///@{
template <any_device_array A>
auto var(const A& x, std::size_t degrees = 0) {
  using T = detail::element_t<A>;
  constexpr auto squares = vectorize<scalar_functions::squared_distance{}>;
  return divide(sum(squares(x, mean(x))), static_cast<T>(x.size()) - static_cast<T>(degrees));
}
template <any_device_array A>
auto var(const A& x, axis along, std::size_t degrees = 0) {
  using T = detail::element_t<A>;
  constexpr auto squares = vectorize<scalar_functions::squared_distance{}>;
  const detail::axis_split split = detail::split_at(x.shape(), along);
  return divide(sum(squares(x, mean(x, along).reshape(detail::kept_shape(x.shape(), along))), along),
                static_cast<T>(split.length) - static_cast<T>(degrees));
}
///@}

namespace detail {

// A number and its position; of two that are equal, the first is the better one. NaN is better than all, as in NumPy.
template <class T>
struct placed_number {
  T values[8 / sizeof(T)];  ///< the first one; zeros behind it, so that no byte is left unwritten
  std::int64_t position;
};

}  // namespace detail

namespace scalar_functions {
struct place_number {
  template <class T>
  GS_FN detail::placed_number<T> operator()(T value, std::int64_t position) const {
    return {{value}, position};
  }
};
struct position_of {
  template <class T>
  GS_FN std::int64_t operator()(detail::placed_number<T> x) const {
    return x.position;
  }
};
struct first_largest {
  template <class T>
  GS_FN detail::placed_number<T> operator()(detail::placed_number<T> a, detail::placed_number<T> b) const {
    return a.values[0] >= b.values[0] || a.values[0] != a.values[0] ? a : b;
  }
};
struct first_smallest {
  template <class T>
  GS_FN detail::placed_number<T> operator()(detail::placed_number<T> a, detail::placed_number<T> b) const {
    return a.values[0] <= b.values[0] || a.values[0] != a.values[0] ? a : b;
  }
};
}  // namespace scalar_functions

namespace detail {

template <auto Better, class A>
auto position_along(const A& x, axis along) {
  constexpr auto place = vectorize<scalar_functions::place_number{}>;
  constexpr auto position = vectorize<scalar_functions::position_of{}>;
  constexpr auto better = vectorize<Better>;
  const axis_split split = split_at(x.shape(), along);
  shape broadcast = split.length;
  for (std::size_t d = split.number + 1; d < x.rank(); ++d) broadcast.push_back(1);
  const auto positions = arange(static_cast<std::int64_t>(split.length)).reshape(broadcast);
  return position(better.reduce(place(x, positions), along));
}

}  // namespace detail

/// The position of the largest and of the smallest element, an int64: the first of several, and a NaN before all
/// numbers. Without an axis it counts in row-major order; the result has shape (). Throws gs::error for no elements.
///@{
template <any_device_array A>
auto argmax(const A& x) {
  return detail::position_along<scalar_functions::first_largest{}>(x.reshape({-1}), axis(0));
}
template <any_device_array A>
auto argmax(const A& x, axis along) {
  return detail::position_along<scalar_functions::first_largest{}>(x, along);
}
template <any_device_array A>
auto argmin(const A& x) {
  return detail::position_along<scalar_functions::first_smallest{}>(x.reshape({-1}), axis(0));
}
template <any_device_array A>
auto argmin(const A& x, axis along) {
  return detail::position_along<scalar_functions::first_smallest{}>(x, along);
}
///@}

/// Running sums and products along an axis, of the input's shape; without an axis of all elements in row-major order,
/// an array of one dimension.
///@{
template <any_device_array A>
auto cumsum(const A& x) {
  return add.accumulate(x.reshape({-1}));
}
template <any_device_array A>
auto cumsum(const A& x, axis along) {
  return add.accumulate(x, along);
}
template <any_device_array A>
auto cumprod(const A& x) {
  return multiply.accumulate(x.reshape({-1}));
}
template <any_device_array A>
auto cumprod(const A& x, axis along) {
  return multiply.accumulate(x, along);
}
///@}

}  // namespace gs::inline GS_FLAVOUR
