// A float64 identity for float32 elements.
// expect: static assertion failed: .*reduce: the identity has another type
#include "runtime/gs.h"

float add(float a, float b) { return a + b; }

#ifdef MENDED
float use(const std::vector<float>& x) { return gs::reduce<add>(x, 0.0f); }
#else
float use(const std::vector<float>& x) { return gs::reduce<add>(x, 0.0); }
#endif
