#pragma once
// min and max of every two types, as CUDA has them for host and device alike: CUDA Math API, "Integer Mathematical
// Functions". Of floating-point numbers, NaN counts as missing.

#include <cmath>
#include <cstdlib>
#include <type_traits>

#define GS_DIALECT_FN [[gnu::always_inline]] inline

#define GS_DIALECT_EXTREMA(result, type_x, type_y)                                                            \
  GS_DIALECT_FN constexpr result min(type_x x, type_y y) {                                                    \
    return static_cast<result>(x) < static_cast<result>(y) ? static_cast<result>(x) : static_cast<result>(y); \
  }                                                                                                           \
  GS_DIALECT_FN constexpr result max(type_x x, type_y y) {                                                    \
    return static_cast<result>(x) > static_cast<result>(y) ? static_cast<result>(x) : static_cast<result>(y); \
  }

GS_DIALECT_EXTREMA(int, int, int)
GS_DIALECT_EXTREMA(unsigned int, unsigned int, unsigned int)
GS_DIALECT_EXTREMA(long, long, long)
GS_DIALECT_EXTREMA(unsigned long, unsigned long, unsigned long)
GS_DIALECT_EXTREMA(long long, long long, long long)
GS_DIALECT_EXTREMA(unsigned long long, unsigned long long, unsigned long long)
GS_DIALECT_EXTREMA(unsigned int, int, unsigned int)
GS_DIALECT_EXTREMA(unsigned int, unsigned int, int)
GS_DIALECT_EXTREMA(unsigned long, long, unsigned long)
GS_DIALECT_EXTREMA(unsigned long, unsigned long, long)
GS_DIALECT_EXTREMA(unsigned long long, long long, unsigned long long)
GS_DIALECT_EXTREMA(unsigned long long, unsigned long long, long long)

#undef GS_DIALECT_EXTREMA

GS_DIALECT_FN float min(float x, float y) { return fminf(x, y); }
GS_DIALECT_FN float max(float x, float y) { return fmaxf(x, y); }
GS_DIALECT_FN double min(double x, double y) { return fmin(x, y); }
GS_DIALECT_FN double max(double x, double y) { return fmax(x, y); }
GS_DIALECT_FN double min(float x, double y) { return fmin(static_cast<double>(x), y); }
GS_DIALECT_FN double max(float x, double y) { return fmax(static_cast<double>(x), y); }
GS_DIALECT_FN double min(double x, float y) { return fmin(x, static_cast<double>(y)); }
GS_DIALECT_FN double max(double x, float y) { return fmax(x, static_cast<double>(y)); }

// Templates, so that a function of the host may have such a name, too, as nvcc allows.
template <class T = unsigned int>
GS_DIALECT_FN T umin(std::type_identity_t<T> x, std::type_identity_t<T> y) {
  return x < y ? x : y;
}
template <class T = unsigned int>
GS_DIALECT_FN T umax(std::type_identity_t<T> x, std::type_identity_t<T> y) {
  return x > y ? x : y;
}
template <class T = long long>
GS_DIALECT_FN T llmin(std::type_identity_t<T> x, std::type_identity_t<T> y) {
  return x < y ? x : y;
}
template <class T = long long>
GS_DIALECT_FN T llmax(std::type_identity_t<T> x, std::type_identity_t<T> y) {
  return x > y ? x : y;
}

using std::abs;
