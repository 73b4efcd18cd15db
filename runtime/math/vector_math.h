#pragma once
// Vectorised elementary functions: tells g++ that glibc's libmvec has them, so that a loop that calls std::exp and its
// like is vectorised without -ffast-math (the build says -fno-math-errno). Results may differ from the scalar
// function's by up to 4 units in the last place (glibc manual, "Known Maximum Errors in Math Functions").
//
// std::exp(float) and expf are the same to the compiler, so nothing changes in the code that calls them. clang knows
// them by itself (-fveclib=libmvec).

#include <cmath>

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
#define GS_VECTOR_1(name)                                                        \
  extern "C" __attribute__((simd("notinbranch"))) float name##f(float) noexcept; \
  extern "C" __attribute__((simd("notinbranch"))) double name(double) noexcept;
#define GS_VECTOR_2(name)                                                               \
  extern "C" __attribute__((simd("notinbranch"))) float name##f(float, float) noexcept; \
  extern "C" __attribute__((simd("notinbranch"))) double name(double, double) noexcept;

GS_VECTOR_1(sin)
GS_VECTOR_1(cos)
GS_VECTOR_1(exp)
GS_VECTOR_1(log)
GS_VECTOR_2(pow)
#if __GLIBC__ > 2 || __GLIBC_MINOR__ >= 35
GS_VECTOR_1(acos)
GS_VECTOR_1(acosh)
GS_VECTOR_1(asin)
GS_VECTOR_1(asinh)
GS_VECTOR_1(atan)
GS_VECTOR_1(atanh)
GS_VECTOR_1(cbrt)
GS_VECTOR_1(cosh)
GS_VECTOR_1(erf)
GS_VECTOR_1(erfc)
GS_VECTOR_1(exp2)
GS_VECTOR_1(expm1)
GS_VECTOR_1(log10)
GS_VECTOR_1(log1p)
GS_VECTOR_1(log2)
GS_VECTOR_1(sinh)
GS_VECTOR_1(tan)
GS_VECTOR_1(tanh)
GS_VECTOR_2(atan2)
GS_VECTOR_2(hypot)
#endif

#undef GS_VECTOR_1
#undef GS_VECTOR_2
#endif
