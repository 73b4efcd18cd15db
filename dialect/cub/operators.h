#pragma once
// CUB's operators on two values; the newest CUB has C++'s in their place, which do here, too.

#define GS_DIALECT_CUB_FN [[gnu::always_inline]]

namespace cub {

#define GS_DIALECT_OPERATOR(name, result)                                       \
  struct name {                                                                 \
    template <class T>                                                          \
    GS_DIALECT_CUB_FN constexpr auto operator()(const T& a, const T& b) const { \
      return result;                                                            \
    }                                                                           \
  };
GS_DIALECT_OPERATOR(Sum, a + b)
GS_DIALECT_OPERATOR(Max, a < b ? b : a)
GS_DIALECT_OPERATOR(Min, b < a ? b : a)
GS_DIALECT_OPERATOR(Equality, a == b)
GS_DIALECT_OPERATOR(Inequality, !(a == b))
#undef GS_DIALECT_OPERATOR

/// The values of keys that have none.
struct NullType {};

}  // namespace cub
