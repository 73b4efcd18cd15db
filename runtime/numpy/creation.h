#pragma once
// New device arrays with given elements, under NumPy's names.

#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/core/error.h"
#include "runtime/device/target.h"
#include "runtime/ufunc/execute.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

// out[i] = element(i).
template <class T, class Element>
struct indexed_fill {
  T* out;
  std::size_t count;
  Element element;
  GS_FN std::size_t size() const { return count; }
  std::size_t grain() const { return std::size_t{1} << 14; }
  GS_FN void at(std::size_t i) const { out[i] = element(i); }
  void run(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) out[i] = element(i);
  }
};

// A new array whose element i, in row-major order, is element(i).
template <class T, class Element>
device_array<T> filled_by_index(const shape& extents, Element element) {
  device_array<T> result(extents);
  executor(target::device, nullptr)(indexed_fill<T, Element>{result.data(), result.size(), element});
  return result;
}

template <class T>
struct same_element {
  T value;
  GS_FN T operator()(std::size_t) const { return value; }
};
template <class T>
struct diagonal_element {
  std::size_t columns;
  GS_FN T operator()(std::size_t i) const { return i % (columns + 1) == 0 ? T(1) : T(0); }
};
template <class T>
struct stepped_element {
  T start, step;
  GS_FN T operator()(std::size_t i) const { return static_cast<T>(start + static_cast<T>(i) * step); }
};
// The last element is the end itself, not what rounding makes of it.
template <class T>
struct spaced_element {
  T start, stop, step;
  std::size_t last;
  GS_FN T operator()(std::size_t i) const { return i == last && i > 0 ? stop : start + static_cast<T>(i) * step; }
};

}  // namespace detail

/// An array of that shape with one value throughout: full({2, 3}, 1.5f). One launch, nothing is copied.
///@{
template <class T>
device_array<T> full(const shape& extents, T value) {
  return detail::filled_by_index<T>(extents, detail::same_element<T>{value});
}
template <class T>
device_array<T> zeros(const shape& extents) {
  return full(extents, T(0));
}
template <class T>
device_array<T> ones(const shape& extents) {
  return full(extents, T(1));
}
///@}
/// The same with the shape and type of another array.
///@{
template <any_device_array A>
auto full_like(const A& x, typename A::value_type value) {
  x.memory();
  return full(x.shape(), value);
}
template <any_device_array A>
auto zeros_like(const A& x) {
  return full_like(x, typename A::value_type(0));
}
template <any_device_array A>
auto ones_like(const A& x) {
  return full_like(x, typename A::value_type(1));
}
///@}

/// The identity matrix of n rows.
template <class T>
device_array<T> eye(std::size_t n) {
  return detail::filled_by_index<T>({n, n}, detail::diagonal_element<T>{n});
}

/// start, start + step, ... up to stop, which is left out; of floats ceil((stop - start) / step) elements, each rounded
/// by itself. Throws gs::error for a step of 0 or NaN.
template <class T>
device_array<T> arange(T start, T stop, T step = T(1)) {
  static_assert(std::is_arithmetic_v<T>, "arange takes numbers");
  if (!(step > T(0)) && !(step < T(0)))
    throw error("arange from " + std::to_string(start) + " to " + std::to_string(stop),
                "the step is " + std::to_string(step), "give a step that leads from the one to the other");
  std::size_t count = 0;
  if (step > T(0) ? start < stop : start > stop) {
    if constexpr (std::is_integral_v<T>) {
      using U = std::make_unsigned_t<std::common_type_t<T, int>>;
      const U distance =
          step > T(0) ? static_cast<U>(stop) - static_cast<U>(start) : static_cast<U>(start) - static_cast<U>(stop);
      const U stride = step > T(0) ? static_cast<U>(step) : U(0) - static_cast<U>(step);
      count = static_cast<std::size_t>((distance - 1) / stride + 1);
    } else {
      count = static_cast<std::size_t>(
          std::ceil((static_cast<double>(stop) - static_cast<double>(start)) / static_cast<double>(step)));
    }
  }
  return detail::filled_by_index<T>(count, detail::stepped_element<T>{start, step});
}
/// From 0 to `stop`, in steps of 1.
template <class T>
device_array<T> arange(T stop) {
  return arange(T(0), stop);
}

/// `count` numbers from start to stop, both included, at equal distances.
template <class T>
device_array<T> linspace(T start, T stop, std::size_t count) {
  static_assert(std::is_floating_point_v<T>, "linspace takes numbers of float or of double");
  const T step = count > 1 ? (stop - start) / static_cast<T>(count - 1) : T(0);
  return detail::filled_by_index<T>(count, detail::spaced_element<T>{start, stop, step, count - 1});
}

}  // namespace gs::inline GS_FLAVOUR
