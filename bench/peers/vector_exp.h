#pragma once
// expf with vector variants. glibc's headers announce those of libmvec only under -ffast-math; this says the same
// without it, so that a loop over expf calls them (at most 4 ulp, glibc manual, "Errors in Math Functions").

#if defined(__x86_64__) && defined(__GLIBC__)
extern "C" __attribute__((simd("notinbranch"))) float expf(float) noexcept;
#else
#include <cmath>
using std::exp;
inline float expf(float x) { return std::exp(x); }
#endif
