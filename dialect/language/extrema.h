#pragma once
// min and max of every two types, as CUDA has them for host and device alike: CUDA Math API, "Integer Mathematical
// Functions". Of floating-point numbers, NaN counts as missing.

#include <cmath>
#include <cstdlib>

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

GS_DIALECT_FN unsigned int umin(unsigned int x, unsigned int y) { return x < y ? x : y; }
GS_DIALECT_FN unsigned int umax(unsigned int x, unsigned int y) { return x > y ? x : y; }
GS_DIALECT_FN long long llmin(long long x, long long y) { return x < y ? x : y; }
GS_DIALECT_FN long long llmax(long long x, long long y) { return x > y ? x : y; }

using std::abs;
