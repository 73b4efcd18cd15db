// expect: float64 in the function
// Exercise 06: one pass over memory; ./gridstride check 06 says what is still missing.

#include <cmath>

#include "runtime/gs.h"

// A spectral line has the height 1 / (pi * width * (1 + t * t)) at x, with t = (x - middle) / width. Somebody has made
// three ufuncs of that. The heights are right, but each call reads 4 bytes per element and writes 4, for two or three
// operations. Let one call do it: one function of single numbers, all of it in float32, and 8 bytes per element.
// Your turn.
GS_FN float height(float x, float middle, float width) {
  const float t = (x - middle) / width;
  return static_cast<float>(1 / (3.14159265f * width * (1 + std::pow(t, 2))));
}
inline constexpr auto heights = gs::vectorize<height>;

gs::device_array<float> spectral_line(const gs::device_array<float>& x, float middle, float width) {
  return heights(x, middle, width);
}
// Until here.
