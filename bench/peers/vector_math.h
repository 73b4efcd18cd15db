#pragma once
// expf, sinf and cosf with vector variants. glibc's headers announce those of libmvec only under -ffast-math; this says
// the same without it, so that a loop over them calls them (at most 4 ulp, glibc manual, "Errors in Math Functions").

#if defined(__x86_64__) && defined(__GLIBC__)
extern "C" __attribute__((simd("notinbranch"))) float expf(float) noexcept;
extern "C" __attribute__((simd("notinbranch"))) float sinf(float) noexcept;
extern "C" __attribute__((simd("notinbranch"))) float cosf(float) noexcept;
#else
#include <cmath>
inline float expf(float x) { return std::exp(x); }
inline float sinf(float x) { return std::sin(x); }
inline float cosf(float x) { return std::cos(x); }
#endif
