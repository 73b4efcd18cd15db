#pragma once
// Complex numbers of CUDA's libraries, as cuComplex.h has them: pairs of float or double, and functions of them.

#include <cmath>

#include "dialect/language/vector_types.h"

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

#define GS_DIALECT_COMPLEX(pair, real, f)                                                                          \
  constexpr pair make_##pair(real x, real y) { return {x, y}; }                                                    \
  constexpr real cuCreal##f(pair z) { return z.x; }                                                                \
  constexpr real cuCimag##f(pair z) { return z.y; }                                                                \
  constexpr pair cuConj##f(pair z) { return {z.x, -z.y}; }                                                         \
  constexpr pair cuCadd##f(pair a, pair b) { return {a.x + b.x, a.y + b.y}; }                                      \
  constexpr pair cuCsub##f(pair a, pair b) { return {a.x - b.x, a.y - b.y}; }                                      \
  constexpr pair cuCmul##f(pair a, pair b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }              \
  constexpr pair cuCfma##f(pair a, pair b, pair c) { return cuCadd##f(cuCmul##f(a, b), c); }                       \
  /* Divided by the larger of the two first, so that the squares don't overflow (Smith, "Algorithm 116", 1962). */ \
  constexpr pair cuCdiv##f(pair a, pair b) {                                                                       \
    const real scale = 1 / ((b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y));                                      \
    const pair p{a.x * scale, a.y * scale}, q{b.x * scale, b.y * scale};                                           \
    const real square = 1 / (q.x * q.x + q.y * q.y);                                                               \
    return {(p.x * q.x + p.y * q.y) * square, (p.y * q.x - p.x * q.y) * square};                                   \
  }                                                                                                                \
  inline real cuCabs##f(pair z) { return std::hypot(z.x, z.y); }

GS_DIALECT_COMPLEX(cuFloatComplex, float, f)
GS_DIALECT_COMPLEX(cuDoubleComplex, double, )
#undef GS_DIALECT_COMPLEX

constexpr cuComplex make_cuComplex(float x, float y) { return {x, y}; }
constexpr cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return {z.x, z.y}; }
constexpr cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return {static_cast<float>(z.x), static_cast<float>(z.y)};
}
