// Too few arguments.
// expect: static assertion failed: .*a ufunc takes one argument per parameter of its function
#include "runtime/gs.h"

float add(float a, float b) { return a + b; }

#ifdef MENDED
auto use(const std::vector<float>& x) { return gs::vectorize<add>(x, x); }
#else
auto use(const std::vector<float>& x) { return gs::vectorize<add>(x); }
#endif
