// reduce of a function of one parameter.
// expect: static assertion failed: .*reduce and accumulate need a function \(T, T\) -> T
#include "runtime/gs.h"

#ifdef MENDED
float f(float a, float b) { return a + b; }
#else
float f(float a) { return a; }
#endif

auto use(const std::vector<float>& x) { return gs::vectorize<f>.reduce(x); }
