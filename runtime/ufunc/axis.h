#pragma once
// Axes of an array, along which reduce and accumulate run.

#include "runtime/core/config.h"
#include "runtime/core/shape.h"

namespace gs::inline GS_FLAVOUR {

/// An axis by its number; negative numbers count from the end.
struct axis {
  explicit constexpr axis(int number) : number(number) {}  ///< counted from 0, or from the end: -1 is the last
  int number;                                              ///< as it was given
};

/// The value a reduction starts with.
template <class T>
struct initial {
  explicit constexpr initial(T v) : value(v) {}  ///< of the elements' type
  T value;                                       ///< as it was given
};

namespace detail {

/// A row-major array seen along one axis: `outer` times `length` times `inner` elements.
struct axis_split {
  std::size_t outer, length, inner;
  std::size_t number;  ///< the axis, counted from the front
};

/// Throws gs::error if `s` has no such axis.
axis_split split_at(const shape& s, axis along);

/// Throws gs::error: a reduction of 0 elements has no value.
[[noreturn]] void refuse_empty_reduction(const shape& s);

/// Throws gs::error unless an array of that shape has one element.
void check_reduced_output(const shape& out);

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
