#pragma once
// Dual numbers: a value, and its derivatives in N directions, carried through every operation by the chain rule
// (forward mode; A. Griewank and A. Walther, "Evaluating Derivatives", 2nd edition, 2008, chapter 3). A dual number of
// dual numbers has second derivatives.

#include <cmath>
#include <cstddef>
#include <type_traits>

#include "runtime/core/config.h"
#include "runtime/math/sin_cos.h"
#include "runtime/math/vector_math.h"

// A namespace of its own: the functions below are found by their arguments, and gs::exp is a ufunc.
namespace gs::inline GS_FLAVOUR::dual_numbers {

template <class T, std::size_t N = 1>
struct dual;

// The number that a dual number, or a dual number of dual numbers, is made of.
template <class T>
struct base_of {
  using type = T;
};
template <class T, std::size_t N>
struct base_of<dual<T, N>> : base_of<T> {};

/// value + tangent[0] e_0 + ... where e_i e_j = 0. Numbers join in where they would in an expression of T: 2 * x,
/// x + 0.5f; a double beside a float doesn't. Comparisons look at values alone, so that an `if` takes the way that it
/// takes for numbers.
template <class T, std::size_t N>
struct dual {
  using base = typename base_of<T>::type;  ///< float or double

  GS_FN constexpr dual() : tangent{}, value() {}
  /// A constant: its tangents are 0.
  template <class U>
  requires(std::is_arithmetic_v<U>)
  GS_FN constexpr explicit(!std::is_same_v<std::common_type_t<U, base>, base>) dual(U number)
      : tangent{}, value(static_cast<base>(number)) {}
  /// A constant of dual numbers, for derivatives of derivatives.
  GS_FN constexpr dual(const T& x) requires(!std::is_arithmetic_v<T>) : tangent{}, value(x) {}  // NOLINT

  T tangent[N];  ///< the coefficients of e_0, e_1, ...
  T value;       ///< behind the tangents, since g++ 12 keeps no struct in registers that ends in an array of one

  /// Arithmetic, with the derivatives that the rules of sums, products and quotients give.
  ///@{
  friend GS_FN constexpr dual operator+(const dual& a, const dual& b) {
    dual result;
    result.value = a.value + b.value;
    for (std::size_t k = 0; k < N; ++k) result.tangent[k] = a.tangent[k] + b.tangent[k];
    return result;
  }
  friend GS_FN constexpr dual operator-(const dual& a, const dual& b) {
    dual result;
    result.value = a.value - b.value;
    for (std::size_t k = 0; k < N; ++k) result.tangent[k] = a.tangent[k] - b.tangent[k];
    return result;
  }
  friend GS_FN constexpr dual operator*(const dual& a, const dual& b) {
    dual result;
    result.value = a.value * b.value;
    for (std::size_t k = 0; k < N; ++k) result.tangent[k] = a.tangent[k] * b.value + a.value * b.tangent[k];
    return result;
  }
  friend GS_FN constexpr dual operator/(const dual& a, const dual& b) {
    dual result;
    result.value = a.value / b.value;
    for (std::size_t k = 0; k < N; ++k) result.tangent[k] = (a.tangent[k] - result.value * b.tangent[k]) / b.value;
    return result;
  }
  friend GS_FN constexpr dual operator-(const dual& x) {
    dual result;
    result.value = -x.value;
    for (std::size_t k = 0; k < N; ++k) result.tangent[k] = -x.tangent[k];
    return result;
  }
  friend GS_FN constexpr dual operator+(const dual& x) { return x; }
  ///@}
  /// Arithmetic in place.
  ///@{
  GS_FN constexpr dual& operator+=(const dual& b) { return *this = *this + b; }
  GS_FN constexpr dual& operator-=(const dual& b) { return *this = *this - b; }
  GS_FN constexpr dual& operator*=(const dual& b) { return *this = *this * b; }
  GS_FN constexpr dual& operator/=(const dual& b) { return *this = *this / b; }
  ///@}
  /// Comparisons of values; tangents don't count.
  ///@{
  friend GS_FN constexpr bool operator==(const dual& a, const dual& b) { return a.value == b.value; }
  friend GS_FN constexpr bool operator!=(const dual& a, const dual& b) { return a.value != b.value; }
  friend GS_FN constexpr bool operator<(const dual& a, const dual& b) { return a.value < b.value; }
  friend GS_FN constexpr bool operator<=(const dual& a, const dual& b) { return a.value <= b.value; }
  friend GS_FN constexpr bool operator>(const dual& a, const dual& b) { return a.value > b.value; }
  friend GS_FN constexpr bool operator>=(const dual& a, const dual& b) { return a.value >= b.value; }
  ///@}
};

// The chain rule: f(x), where `derivative` is f'(x).
template <class T, std::size_t N>
GS_FN constexpr dual<T, N> chained(const T& value, const T& derivative, const dual<T, N>& x) {
  dual<T, N> result;
  result.value = value;
  for (std::size_t k = 0; k < N; ++k) result.tangent[k] = derivative * x.tangent[k];
  return result;
}
// The same for f(x, y).
template <class T, std::size_t N>
GS_FN constexpr dual<T, N> chained(const T& value, const T& by_x, const dual<T, N>& x, const T& by_y,
                                   const dual<T, N>& y) {
  dual<T, N> result;
  result.value = value;
  for (std::size_t k = 0; k < N; ++k) result.tangent[k] = by_x * x.tangent[k] + by_y * y.tangent[k];
  return result;
}

// Elementary functions under the standard library's names: write `using std::exp;` and then exp(x).
template <class T, std::size_t N>
GS_FN dual<T, N> exp(const dual<T, N>& x) {
  using std::exp;
  const T value = exp(x.value);
  return chained(value, value, x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> exp2(const dual<T, N>& x) {
  using std::exp2;
  const T value = exp2(x.value);
  return chained(value, T(0.69314718055994530942) * value, x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> expm1(const dual<T, N>& x) {
  using std::expm1;
  const T value = expm1(x.value);
  return chained(value, value + T(1), x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> log(const dual<T, N>& x) {
  using std::log;
  return chained(T(log(x.value)), T(1) / x.value, x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> log2(const dual<T, N>& x) {
  using std::log2;
  return chained(T(log2(x.value)), T(1.4426950408889634074) / x.value, x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> log10(const dual<T, N>& x) {
  using std::log10;
  return chained(T(log10(x.value)), T(0.43429448190325182765) / x.value, x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> log1p(const dual<T, N>& x) {
  using std::log1p;
  return chained(T(log1p(x.value)), T(1) / (T(1) + x.value), x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> sqrt(const dual<T, N>& x) {
  using std::sqrt;
  const T value = sqrt(x.value);
  return chained(value, T(0.5) / value, x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> cbrt(const dual<T, N>& x) {
  using std::cbrt;
  const T value = cbrt(x.value);
  return chained(value, T(1) / (T(3) * value * value), x);
}
// Sine and cosine of one angle, each by a vector call.
template <class T>
GS_FN auto sine_and_cosine_of(const T& x) {
  if constexpr (std::is_arithmetic_v<T>) {
    return sin_cos(x);
  } else {
    using std::sin, std::cos;
    return sine_and_cosine<T>{sin(x), cos(x)};
  }
}
template <class T, std::size_t N>
GS_FN dual<T, N> sin(const dual<T, N>& x) {
  const auto [sine, cosine] = sine_and_cosine_of(x.value);
  return chained(sine, cosine, x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> cos(const dual<T, N>& x) {
  const auto [sine, cosine] = sine_and_cosine_of(x.value);
  return chained(cosine, T(-sine), x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> tan(const dual<T, N>& x) {
  using std::tan;
  const T value = tan(x.value);
  return chained(value, T(1) + value * value, x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> asin(const dual<T, N>& x) {
  using std::asin, std::sqrt;
  return chained(T(asin(x.value)), T(1) / T(sqrt(T(1) - x.value * x.value)), x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> acos(const dual<T, N>& x) {
  using std::acos, std::sqrt;
  return chained(T(acos(x.value)), T(-1) / T(sqrt(T(1) - x.value * x.value)), x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> atan(const dual<T, N>& x) {
  using std::atan;
  return chained(T(atan(x.value)), T(1) / (T(1) + x.value * x.value), x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> sinh(const dual<T, N>& x) {
  using std::sinh, std::cosh;
  return chained(T(sinh(x.value)), T(cosh(x.value)), x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> cosh(const dual<T, N>& x) {
  using std::sinh, std::cosh;
  return chained(T(cosh(x.value)), T(sinh(x.value)), x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> tanh(const dual<T, N>& x) {
  using std::tanh;
  const T value = tanh(x.value);
  return chained(value, T(1) - value * value, x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> asinh(const dual<T, N>& x) {
  using std::asinh, std::sqrt;
  return chained(T(asinh(x.value)), T(1) / T(sqrt(x.value * x.value + T(1))), x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> acosh(const dual<T, N>& x) {
  using std::acosh, std::sqrt;
  return chained(T(acosh(x.value)), T(1) / T(sqrt(x.value * x.value - T(1))), x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> atanh(const dual<T, N>& x) {
  using std::atanh;
  return chained(T(atanh(x.value)), T(1) / (T(1) - x.value * x.value), x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> erf(const dual<T, N>& x) {
  using std::erf, std::exp;
  return chained(T(erf(x.value)), T(1.1283791670955125739) * T(exp(-x.value * x.value)), x);  // 2 / sqrt(pi)
}
// At 0, where it has none, the derivative is 0.
template <class T, std::size_t N>
GS_FN dual<T, N> fabs(const dual<T, N>& x) {
  using std::fabs;
  const T slope = x.value > T(0) ? T(1) : x.value < T(0) ? T(-1) : T(0);
  return chained(T(fabs(x.value)), slope, x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> abs(const dual<T, N>& x) {
  return fabs(x);
}
// Steps: their derivative is 0 wherever there is one.
template <class T, std::size_t N>
GS_FN dual<T, N> floor(const dual<T, N>& x) {
  using std::floor;
  dual<T, N> result;
  result.value = floor(x.value);
  return result;
}
template <class T, std::size_t N>
GS_FN dual<T, N> ceil(const dual<T, N>& x) {
  using std::ceil;
  dual<T, N> result;
  result.value = ceil(x.value);
  return result;
}
template <class T, std::size_t N>
GS_FN dual<T, N> trunc(const dual<T, N>& x) {
  using std::trunc;
  dual<T, N> result;
  result.value = trunc(x.value);
  return result;
}
template <class T, std::size_t N>
GS_FN dual<T, N> rint(const dual<T, N>& x) {
  using std::rint;
  dual<T, N> result;
  result.value = rint(x.value);
  return result;
}

// 0, and not only where it is: a dual number may pass through 0, and its tangents then count.
template <class T>
GS_FN constexpr bool stays_zero(const T& x) {
  if constexpr (std::is_arithmetic_v<T>) {
    return x == 0;
  } else {
    bool zero = stays_zero(x.value);
    for (const auto& tangent : x.tangent) zero = zero && stays_zero(tangent);
    return zero;
  }
}
/// x^y. Of a y that doesn't depend on the variables, log(x) isn't asked for: x may be negative.
template <class T, std::size_t N>
GS_FN dual<T, N> pow(const dual<T, N>& x, const dual<T, N>& y) {
  using std::pow, std::log;
  dual<T, N> result;
  result.value = pow(x.value, y.value);
  const T by_x = stays_zero(y.value) ? T(0) : y.value * T(pow(x.value, y.value - T(1)));
  const T by_y = x.value == T(0) ? T(0) : result.value * T(log(x.value));
  for (std::size_t k = 0; k < N; ++k)
    result.tangent[k] = by_x * x.tangent[k] + (stays_zero(y.tangent[k]) ? T(0) : by_y * y.tangent[k]);
  return result;
}
template <class T, std::size_t N, class U>
requires(std::is_arithmetic_v<U>) GS_FN dual<T, N> pow(const dual<T, N>& x, U exponent) {
  using std::pow;
  const T y = static_cast<T>(exponent);
  return chained(T(pow(x.value, y)), y == T(0) ? T(0) : y * T(pow(x.value, y - T(1))), x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> hypot(const dual<T, N>& x, const dual<T, N>& y) {
  using std::hypot;
  const T value = hypot(x.value, y.value);
  return chained(value, x.value / value, x, y.value / value, y);
}
template <class T, std::size_t N>
GS_FN dual<T, N> atan2(const dual<T, N>& y, const dual<T, N>& x) {
  using std::atan2;
  const T squares = x.value * x.value + y.value * y.value;
  return chained(T(atan2(y.value, x.value)), x.value / squares, y, -y.value / squares, x);
}
template <class T, std::size_t N>
GS_FN dual<T, N> copysign(const dual<T, N>& x, const dual<T, N>& sign) {
  using std::copysign;
  const T value = copysign(x.value, sign.value);
  return chained(value, value == x.value ? T(1) : T(-1), x);
}
/// The derivative of the larger, or smaller, one; at a tie that of `a`.
template <class T, std::size_t N>
GS_FN dual<T, N> fmax(const dual<T, N>& a, const dual<T, N>& b) {
  return a.value >= b.value || b.value != b.value ? a : b;
}
template <class T, std::size_t N>
GS_FN dual<T, N> fmin(const dual<T, N>& a, const dual<T, N>& b) {
  return a.value <= b.value || b.value != b.value ? a : b;
}

}  // namespace gs::inline GS_FLAVOUR::dual_numbers

namespace gs::inline GS_FLAVOUR {
using dual_numbers::dual;
}  // namespace gs::inline GS_FLAVOUR
