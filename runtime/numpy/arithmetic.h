#pragma once
// Arithmetic of arrays, under NumPy's names: ready ufuncs for every type of number, with NumPy's results.

#include <cmath>
#include <cstddef>
#include <type_traits>

#include "runtime/core/config.h"
#include "runtime/math/vector_math.h"
#include "runtime/ufunc/vectorize.h"

namespace gs::inline GS_FLAVOUR {

/// The functions of single numbers that the ufuncs are made of. Each takes numbers of one type and returns that type;
/// those with `real` in front of their parameter take no integers. Dual numbers (runtime/grad/) are taken, too.
namespace scalar_functions {

template <class T>
concept real = !std::is_integral_v<T>;
template <class T>
concept integer = std::is_integral_v<T>;

struct add {
  template <class T>
  GS_FN T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct subtract {
  template <class T>
  GS_FN T operator()(T a, T b) const {
    return static_cast<T>(a - b);
  }
};
struct multiply {
  template <class T>
  GS_FN T operator()(T a, T b) const {
    return static_cast<T>(a * b);
  }
};
struct divide {
  template <real T>
  GS_FN T operator()(T a, T b) const {
    return a / b;
  }
};
struct negative {
  template <class T>
  GS_FN T operator()(T x) const {
    return static_cast<T>(-x);
  }
};
struct positive {
  template <class T>
  GS_FN T operator()(T x) const {
    return x;
  }
};
struct reciprocal {
  template <real T>
  GS_FN T operator()(T x) const {
    return T(1) / x;
  }
};
struct square {
  template <class T>
  GS_FN T operator()(T x) const {
    return static_cast<T>(x * x);
  }
};
struct absolute {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::fabs;
    return fabs(x);
  }
  template <integer T>
  GS_FN T operator()(T x) const {
    return static_cast<T>(x < 0 ? -x : x);
  }
};
struct sign {
  template <class T>
  GS_FN T operator()(T x) const {
    const T one(1), zero(0);
    return x > zero ? one : x < zero ? static_cast<T>(zero - one) : x == zero ? zero : x;  // NaN stays NaN
  }
};
struct heaviside {
  template <real T>
  GS_FN T operator()(T x, T at_zero) const {
    return x < T(0) ? T(0) : x > T(0) ? T(1) : x == T(0) ? at_zero : x;
  }
};

// The larger and the smaller of two numbers; NaN if one of them is.
struct maximum {
  template <class T>
  GS_FN T operator()(T a, T b) const {
    return a > b || a != a ? a : b;
  }
};
struct minimum {
  template <class T>
  GS_FN T operator()(T a, T b) const {
    return a < b || a != a ? a : b;
  }
};
// The same where NaN counts as no number.
struct fmax {
  template <class T>
  GS_FN T operator()(T a, T b) const {
    return a >= b || b != b ? a : b;
  }
};
struct fmin {
  template <class T>
  GS_FN T operator()(T a, T b) const {
    return a <= b || b != b ? a : b;
  }
};
struct clip {
  template <class T>
  GS_FN T operator()(T x, T low, T high) const {
    const T raised = x < low || low != low ? low : x;
    return raised > high || high != high ? high : raised;
  }
};

// Quotients rounded down, and what remains: with the sign of b, as in Python.
struct floor_divide {
  template <integer T>
  GS_FN T operator()(T a, T b) const {
    const T quotient = static_cast<T>(a / b);
    if constexpr (std::is_unsigned_v<T>)
      return quotient;
    else
      return static_cast<T>(a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient);
  }
  template <real T>
  GS_FN T operator()(T a, T b) const {
    if (b == T(0)) return a / b;
    T rest = std::fmod(a, b), quotient = (a - rest) / b;
    if (rest != T(0) && (b < T(0)) != (rest < T(0))) quotient -= T(1);
    if (quotient == T(0)) return std::copysign(T(0), a / b);
    const T rounded = std::floor(quotient);
    return quotient - rounded > T(0.5) ? rounded + T(1) : rounded;
  }
};
struct remainder {
  template <integer T>
  GS_FN T operator()(T a, T b) const {
    const T rest = static_cast<T>(a % b);
    if constexpr (std::is_unsigned_v<T>)
      return rest;
    else
      return static_cast<T>(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
  }
  template <real T>
  GS_FN T operator()(T a, T b) const {
    const T rest = std::fmod(a, b);
    if (rest == T(0)) return std::copysign(T(0), b);
    return (b < T(0)) != (rest < T(0)) ? rest + b : rest;
  }
};
// What remains of a quotient rounded towards zero, as in C.
struct fmod {
  template <integer T>
  GS_FN T operator()(T a, T b) const {
    return static_cast<T>(a % b);
  }
  template <real T>
  GS_FN T operator()(T a, T b) const {
    return std::fmod(a, b);
  }
};

// A number without its sign: the most negative one has no absolute value in its own type, and % -1 would be a fault.
template <integer T>
GS_FN constexpr auto magnitude(T x) {
  using U = std::common_type_t<std::make_unsigned_t<T>, unsigned>;  // of shorter ones, products would be ints
  return x < 0 ? U(0) - static_cast<U>(x) : static_cast<U>(x);
}
// The largest number that divides both, by Euclid, and the smallest that both divide.
struct gcd {
  template <integer T>
  GS_FN T operator()(T a, T b) const {
    auto x = magnitude(a), y = magnitude(b);
    while (y != 0) {
      const auto rest = x % y;
      x = y;
      y = rest;
    }
    return static_cast<T>(x);
  }
};
struct lcm {
  template <integer T>
  GS_FN T operator()(T a, T b) const {
    const auto common = magnitude(gcd()(a, b));
    return common == 0 ? T(0) : static_cast<T>(magnitude(a) / common * magnitude(b));
  }
};

struct bitwise_and {
  template <integer T>
  GS_FN T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct bitwise_or {
  template <integer T>
  GS_FN T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct bitwise_xor {
  template <integer T>
  GS_FN T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};
struct invert {
  template <integer T>
  GS_FN T operator()(T x) const {
    return static_cast<T>(~x);
  }
};
// A shift by the type's bits or more leaves nothing, or the sign.
struct left_shift {
  template <integer T>
  GS_FN T operator()(T x, T bits) const {
    return bits >= T(0) && static_cast<std::size_t>(bits) < sizeof(T) * 8 ? static_cast<T>(x << bits) : T(0);
  }
};
struct right_shift {
  template <integer T>
  GS_FN T operator()(T x, T bits) const {
    if (bits >= T(0) && static_cast<std::size_t>(bits) < sizeof(T) * 8) return static_cast<T>(x >> bits);
    return static_cast<T>(x < T(0) ? -1 : 0);
  }
};

}  // namespace scalar_functions

/// Sums, differences and products of numbers of one type, in that type: integers wrap as their type does. `divide` and
/// `reciprocal` take no integers; `floor_divide` does.
///@{
inline constexpr auto add = vectorize<scalar_functions::add{}>;
inline constexpr auto subtract = vectorize<scalar_functions::subtract{}>;
inline constexpr auto multiply = vectorize<scalar_functions::multiply{}>;
inline constexpr auto divide = vectorize<scalar_functions::divide{}>;
inline constexpr auto negative = vectorize<scalar_functions::negative{}>;
inline constexpr auto positive = vectorize<scalar_functions::positive{}>;
inline constexpr auto reciprocal = vectorize<scalar_functions::reciprocal{}>;
inline constexpr auto square = vectorize<scalar_functions::square{}>;
inline constexpr auto absolute = vectorize<scalar_functions::absolute{}>;
inline constexpr auto sign = vectorize<scalar_functions::sign{}>;
inline constexpr auto heaviside = vectorize<scalar_functions::heaviside{}>;
///@}

/// The larger and the smaller of two: NaN if one of them is NaN; for `fmax` and `fmin` NaN is no number.
///@{
inline constexpr auto maximum = vectorize<scalar_functions::maximum{}>;
inline constexpr auto minimum = vectorize<scalar_functions::minimum{}>;
inline constexpr auto fmax = vectorize<scalar_functions::fmax{}>;
inline constexpr auto fmin = vectorize<scalar_functions::fmin{}>;
///@}
/// x, but at least `low` and at most `high`: clip(x, low, high). NaN if one of them is NaN.
inline constexpr auto clip = vectorize<scalar_functions::clip{}>;

/// Quotients rounded down and what remains, with b's sign: floor_divide(-7, 2) is -4 and remainder(-7, 2) is 1. `fmod`
/// has a's sign, as C's % has. An integer divided by zero throws gs::error, as in every ufunc.
///@{
inline constexpr auto floor_divide = vectorize<scalar_functions::floor_divide{}>;
inline constexpr auto remainder = vectorize<scalar_functions::remainder{}>;
inline constexpr auto fmod = vectorize<scalar_functions::fmod{}>;
///@}
/// The greatest common divisor and the least common multiple of integers.
///@{
inline constexpr auto gcd = vectorize<scalar_functions::gcd{}>;
inline constexpr auto lcm = vectorize<scalar_functions::lcm{}>;
///@}

/// Bits of integers. A shift by as many bits as the type has, or more, gives 0, or -1 of a negative number to the
/// right.
///@{
inline constexpr auto bitwise_and = vectorize<scalar_functions::bitwise_and{}>;
inline constexpr auto bitwise_or = vectorize<scalar_functions::bitwise_or{}>;
inline constexpr auto bitwise_xor = vectorize<scalar_functions::bitwise_xor{}>;
inline constexpr auto invert = vectorize<scalar_functions::invert{}>;
inline constexpr auto left_shift = vectorize<scalar_functions::left_shift{}>;
inline constexpr auto right_shift = vectorize<scalar_functions::right_shift{}>;
///@}

}  // namespace gs::inline GS_FLAVOUR
