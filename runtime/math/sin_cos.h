#pragma once
// gs::sin_cos: sine and cosine of one angle, in loops that vectorise.

#include <cmath>

#include "runtime/core/config.h"
#include "runtime/math/vector_math.h"

namespace gs::inline GS_FLAVOUR {

/// The result of sin_cos.
template <class T>
struct sine_and_cosine {
  T sine, cosine;  ///< both of one angle
};

/// std::sin and std::cos of an angle in radians, float or double. Where a loop calls both with the same number, g++
/// merges them into one call that has no vector variant and takes ten times as long. On a GPU it is one call.
///   const auto [sine, cosine] = gs::sin_cos(angle);
template <class T>
GS_FN inline sine_and_cosine<T> sin_cos(T angle) {
#if defined(__CUDA_ARCH__)
  sine_and_cosine<T> both;
  if constexpr (sizeof(T) == sizeof(float))
    sincosf(angle, &both.sine, &both.cosine);
  else
    sincos(angle, &both.sine, &both.cosine);
  return both;
#else
  // To the compiler angle + 0 is another number, since -0 becomes 0. Its cosine is the same.
  return {std::sin(angle), std::cos(angle + T{0})};
#endif
}

}  // namespace gs::inline GS_FLAVOUR
