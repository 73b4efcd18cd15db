// An array of doubles for a float ufunc: no silent narrowing.
// expect: static assertion failed: .*no signature of this ufunc takes exactly these element types
#include "runtime/gs.h"

float add(float a, float b) { return a + b; }

#ifdef MENDED
using element = float;
#else
using element = double;
#endif

auto use(const std::vector<element>& x) { return gs::vectorize<add>(x, x); }
