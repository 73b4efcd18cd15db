#pragma once
// Operators on device arrays: each is a call of the ufunc of that name, one loop, and a new array.

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/numpy/arithmetic.h"
#include "runtime/numpy/comparison.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

/// Two operands of which one is a device array and the other a device array or a number.
template <class A, class B>
concept operands_on_device =
    (any_device_array<A> && (any_device_array<B> || scalar<B>)) || (scalar<A> && any_device_array<B>);

}  // namespace detail

/// Sum, difference, product and quotient, element by element, broadcast as NumPy does; % is `remainder`. Nothing is put
/// off or fused: a * x + y is two loops, and the product a temporary array that the ledger counts. `gs::vectorize`
/// makes one loop of it. Numbers have the elements' type: x * 2.0f for float32.
///@{
template <class A, class B>
requires detail::operands_on_device<A, B> auto operator+(const A& a, const B& b) {
  return add(a, b);
}
template <class A, class B>
requires detail::operands_on_device<A, B> auto operator-(const A& a, const B& b) {
  return subtract(a, b);
}
template <class A, class B>
requires detail::operands_on_device<A, B> auto operator*(const A& a, const B& b) {
  return multiply(a, b);
}
template <class A, class B>
requires detail::operands_on_device<A, B> auto operator/(const A& a, const B& b) {
  return divide(a, b);
}
template <class A, class B>
requires detail::operands_on_device<A, B> auto operator%(const A& a, const B& b) {
  return remainder(a, b);
}
template <any_device_array A>
auto operator-(const A& a) {
  return negative(a);
}
///@}

/// Comparisons, 1 or 0 for each element. There is no == of arrays: a test for equality gives one answer in C++; write
/// gs::equal(a, b).
///@{
template <class A, class B>
requires detail::operands_on_device<A, B> auto operator<(const A& a, const B& b) {
  return less(a, b);
}
template <class A, class B>
requires detail::operands_on_device<A, B> auto operator<=(const A& a, const B& b) {
  return less_equal(a, b);
}
template <class A, class B>
requires detail::operands_on_device<A, B> auto operator>(const A& a, const B& b) {
  return greater(a, b);
}
template <class A, class B>
requires detail::operands_on_device<A, B> auto operator>=(const A& a, const B& b) {
  return greater_equal(a, b);
}
///@}

/// In place: no array is made. The result must have the shape of the array on the left.
///@{
template <element T, class B>
requires detail::operands_on_device<device_array<T>, B> device_array<T>& operator+=(device_array<T>& a, const B& b) {
  add(a, b, out(a));
  return a;
}
template <element T, class B>
requires detail::operands_on_device<device_array<T>, B> device_array<T>& operator-=(device_array<T>& a, const B& b) {
  subtract(a, b, out(a));
  return a;
}
template <element T, class B>
requires detail::operands_on_device<device_array<T>, B> device_array<T>& operator*=(device_array<T>& a, const B& b) {
  multiply(a, b, out(a));
  return a;
}
template <element T, class B>
requires detail::operands_on_device<device_array<T>, B> device_array<T>& operator/=(device_array<T>& a, const B& b) {
  divide(a, b, out(a));
  return a;
}
///@}

}  // namespace gs::inline GS_FLAVOUR
