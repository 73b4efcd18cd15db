// An output of doubles for a float result.
// expect: static assertion failed: .*out: the output's element type differs from the ufunc's result
#include "runtime/gs.h"

float add(float a, float b) { return a + b; }

#ifdef MENDED
using element = float;
#else
using element = double;
#endif

void use(const std::vector<float>& x, std::vector<element>& y) { gs::vectorize<add>(x, x, gs::out(y)); }
