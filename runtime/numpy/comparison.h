#pragma once
// Comparisons, logic and choice, under NumPy's names.

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "runtime/core/config.h"
#include "runtime/numpy/arithmetic.h"
#include "runtime/ufunc/vectorize.h"

namespace gs::inline GS_FLAVOUR {

/// What comparisons return: 1 or 0. It is no bool, since the elements of a std::vector<bool> have no addresses.
using truth = std::uint8_t;

namespace scalar_functions {

struct equal {
  template <class T>
  GS_FN truth operator()(T a, T b) const {
    return a == b;
  }
};
struct not_equal {
  template <class T>
  GS_FN truth operator()(T a, T b) const {
    return a != b;
  }
};
struct less {
  template <class T>
  GS_FN truth operator()(T a, T b) const {
    return a < b;
  }
};
struct less_equal {
  template <class T>
  GS_FN truth operator()(T a, T b) const {
    return a <= b;
  }
};
struct greater {
  template <class T>
  GS_FN truth operator()(T a, T b) const {
    return a > b;
  }
};
struct greater_equal {
  template <class T>
  GS_FN truth operator()(T a, T b) const {
    return a >= b;
  }
};
struct isnan {
  template <real T>
  GS_FN truth operator()(T x) const {
    return x != x;
  }
};
struct isinf {
  template <real T>
  GS_FN truth operator()(T x) const {
    return std::fabs(x) == std::numeric_limits<T>::infinity();
  }
};
struct isfinite {
  template <real T>
  GS_FN truth operator()(T x) const {
    return x - x == T(0);
  }
};
struct signbit {
  template <real T>
  GS_FN truth operator()(T x) const {
    return std::signbit(x);
  }
};
struct logical_and {
  template <class T>
  GS_FN truth operator()(T a, T b) const {
    return (a != T(0)) & (b != T(0));
  }
};
struct logical_or {
  template <class T>
  GS_FN truth operator()(T a, T b) const {
    return (a != T(0)) | (b != T(0));
  }
};
struct logical_xor {
  template <class T>
  GS_FN truth operator()(T a, T b) const {
    return (a != T(0)) != (b != T(0));
  }
};
struct logical_not {
  template <class T>
  GS_FN truth operator()(T x) const {
    return x == T(0);
  }
};
struct where {
  template <class T>
  GS_FN T operator()(truth condition, T a, T b) const {
    return condition != 0 ? a : b;
  }
};

}  // namespace scalar_functions

/// 1 where it is so, 0 where not, for two numbers of one type.
///@{
inline constexpr auto equal = vectorize<scalar_functions::equal{}>;
inline constexpr auto not_equal = vectorize<scalar_functions::not_equal{}>;
inline constexpr auto less = vectorize<scalar_functions::less{}>;
inline constexpr auto less_equal = vectorize<scalar_functions::less_equal{}>;
inline constexpr auto greater = vectorize<scalar_functions::greater{}>;
inline constexpr auto greater_equal = vectorize<scalar_functions::greater_equal{}>;
///@}

/// Kinds of floating-point numbers.
///@{
inline constexpr auto isnan = vectorize<scalar_functions::isnan{}>;
inline constexpr auto isinf = vectorize<scalar_functions::isinf{}>;
inline constexpr auto isfinite = vectorize<scalar_functions::isfinite{}>;
inline constexpr auto signbit = vectorize<scalar_functions::signbit{}>;
///@}

/// A number other than 0 counts as true.
///@{
inline constexpr auto logical_and = vectorize<scalar_functions::logical_and{}>;
inline constexpr auto logical_or = vectorize<scalar_functions::logical_or{}>;
inline constexpr auto logical_xor = vectorize<scalar_functions::logical_xor{}>;
inline constexpr auto logical_not = vectorize<scalar_functions::logical_not{}>;
///@}

/// a where the condition, as a comparison returns it, is not 0, else b: where(less(x, 0.0f), 0.0f, x).
inline constexpr auto where = vectorize<scalar_functions::where{}>;

}  // namespace gs::inline GS_FLAVOUR
