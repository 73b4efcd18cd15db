// reduce needs a function (T, T) -> T.
// expect: static assertion failed: .*reduce and accumulate need a function \(T, T\) -> T
#include "runtime/gs.h"

#ifdef MENDED
float add(float a, float b) { return a + b; }
#else
double add(float a, float b) { return double{a} + double{b}; }
#endif

auto use(const std::vector<float>& x) { return gs::vectorize<add>.reduce(x); }
