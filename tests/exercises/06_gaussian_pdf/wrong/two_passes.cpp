// expect: launches
// Exercise 06: one pass over memory; ./gridstride check 06 says what is still missing.

#include "runtime/gs.h"

// A spectral line has the height 1 / (pi * width * (1 + t * t)) at x, with t = (x - middle) / width. Somebody has made
// three ufuncs of that. The heights are right, but each call reads 4 bytes per element and writes 4, for two or three
// operations. Let one call do it: one function of single numbers, all of it in float32, and 8 bytes per element.
// Your turn.
GS_FN float from_the_middle(float x, float middle, float width) { return (x - middle) / width; }
GS_FN float height(float t, float width) { return 1 / (3.14159265f * width * (1 + t * t)); }
inline constexpr auto distances = gs::vectorize<from_the_middle>;
inline constexpr auto heights = gs::vectorize<height>;

gs::device_array<float> spectral_line(const gs::device_array<float>& x, float middle, float width) {
  return heights(distances(x, middle, width), width);
}
// Until here.
