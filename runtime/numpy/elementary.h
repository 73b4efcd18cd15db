#pragma once
// Elementary functions of arrays of float or double, under NumPy's names: ready ufuncs, vectorised where glibc's vector
// library has the function (runtime/math/vector_math.h).

#include <cmath>

#include "runtime/core/config.h"
#include "runtime/math/vector_math.h"
#include "runtime/numpy/arithmetic.h"
#include "runtime/ufunc/vectorize.h"

namespace gs::inline GS_FLAVOUR {

namespace scalar_functions {

struct sqrt {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::sqrt;
    return sqrt(x);
  }
};
struct cbrt {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::cbrt;
    return cbrt(x);
  }
};
struct exp {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::exp;
    return exp(x);
  }
};
struct exp2 {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::exp2;
    return exp2(x);
  }
};
struct expm1 {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::expm1;
    return expm1(x);
  }
};
struct log {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::log;
    return log(x);
  }
};
struct log2 {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::log2;
    return log2(x);
  }
};
struct log10 {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::log10;
    return log10(x);
  }
};
struct log1p {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::log1p;
    return log1p(x);
  }
};
struct sin {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::sin;
    return sin(x);
  }
};
struct cos {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::cos;
    return cos(x);
  }
};
struct tan {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::tan;
    return tan(x);
  }
};
struct arcsin {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::asin;
    return asin(x);
  }
};
struct arccos {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::acos;
    return acos(x);
  }
};
struct arctan {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::atan;
    return atan(x);
  }
};
struct sinh {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::sinh;
    return sinh(x);
  }
};
struct cosh {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::cosh;
    return cosh(x);
  }
};
struct tanh {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::tanh;
    return tanh(x);
  }
};
struct arcsinh {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::asinh;
    return asinh(x);
  }
};
struct arccosh {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::acosh;
    return acosh(x);
  }
};
struct arctanh {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::atanh;
    return atanh(x);
  }
};
struct floor {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::floor;
    return floor(x);
  }
};
struct ceil {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::ceil;
    return ceil(x);
  }
};
struct trunc {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::trunc;
    return trunc(x);
  }
};
struct rint {
  template <real T>
  GS_FN T operator()(T x) const {
    using std::rint;
    return rint(x);
  }
};
struct power {
  template <real T>
  GS_FN T operator()(T base, T exponent) const {
    using std::pow;
    return pow(base, exponent);
  }
};
struct hypot {
  template <real T>
  GS_FN T operator()(T a, T b) const {
    using std::hypot;
    return hypot(a, b);
  }
};
struct arctan2 {
  template <real T>
  GS_FN T operator()(T y, T x) const {
    using std::atan2;
    return atan2(y, x);
  }
};
struct copysign {
  template <real T>
  GS_FN T operator()(T a, T b) const {
    using std::copysign;
    return copysign(a, b);
  }
};
struct deg2rad {
  template <real T>
  GS_FN T operator()(T x) const {
    return x * T(0.017453292519943295769);  // pi / 180
  }
};
struct rad2deg {
  template <real T>
  GS_FN T operator()(T x) const {
    return x * T(57.295779513082320877);
  }
};
// log(exp(a) + exp(b)), without overflow.
struct logaddexp {
  template <real T>
  GS_FN T operator()(T a, T b) const {
    using std::exp, std::fabs, std::log1p;
    const T larger = a > b ? a : b;
    return a == b ? larger + T(0.69314718055994530942) : larger + log1p(exp(-fabs(a - b)));
  }
};

}  // namespace scalar_functions

/// Roots, powers, exponential functions and logarithms.
///@{
inline constexpr auto sqrt = vectorize<scalar_functions::sqrt{}>;
inline constexpr auto cbrt = vectorize<scalar_functions::cbrt{}>;
inline constexpr auto power = vectorize<scalar_functions::power{}>;
inline constexpr auto exp = vectorize<scalar_functions::exp{}>;
inline constexpr auto exp2 = vectorize<scalar_functions::exp2{}>;
inline constexpr auto expm1 = vectorize<scalar_functions::expm1{}>;
inline constexpr auto log = vectorize<scalar_functions::log{}>;
inline constexpr auto log2 = vectorize<scalar_functions::log2{}>;
inline constexpr auto log10 = vectorize<scalar_functions::log10{}>;
inline constexpr auto log1p = vectorize<scalar_functions::log1p{}>;
inline constexpr auto logaddexp = vectorize<scalar_functions::logaddexp{}>;
///@}

/// Angles are in radians; arctan2(y, x).
///@{
inline constexpr auto sin = vectorize<scalar_functions::sin{}>;
inline constexpr auto cos = vectorize<scalar_functions::cos{}>;
inline constexpr auto tan = vectorize<scalar_functions::tan{}>;
inline constexpr auto arcsin = vectorize<scalar_functions::arcsin{}>;
inline constexpr auto arccos = vectorize<scalar_functions::arccos{}>;
inline constexpr auto arctan = vectorize<scalar_functions::arctan{}>;
inline constexpr auto arctan2 = vectorize<scalar_functions::arctan2{}>;
inline constexpr auto hypot = vectorize<scalar_functions::hypot{}>;
inline constexpr auto deg2rad = vectorize<scalar_functions::deg2rad{}>;
inline constexpr auto rad2deg = vectorize<scalar_functions::rad2deg{}>;
///@}

/// Hyperbolic functions and their inverses.
///@{
inline constexpr auto sinh = vectorize<scalar_functions::sinh{}>;
inline constexpr auto cosh = vectorize<scalar_functions::cosh{}>;
inline constexpr auto tanh = vectorize<scalar_functions::tanh{}>;
inline constexpr auto arcsinh = vectorize<scalar_functions::arcsinh{}>;
inline constexpr auto arccosh = vectorize<scalar_functions::arccosh{}>;
inline constexpr auto arctanh = vectorize<scalar_functions::arctanh{}>;
///@}

/// Rounded down, up, towards zero and to the nearest whole number, halves to the even one; a with the sign of b.
///@{
inline constexpr auto floor = vectorize<scalar_functions::floor{}>;
inline constexpr auto ceil = vectorize<scalar_functions::ceil{}>;
inline constexpr auto trunc = vectorize<scalar_functions::trunc{}>;
inline constexpr auto rint = vectorize<scalar_functions::rint{}>;
inline constexpr auto copysign = vectorize<scalar_functions::copysign{}>;
///@}

}  // namespace gs::inline GS_FLAVOUR
