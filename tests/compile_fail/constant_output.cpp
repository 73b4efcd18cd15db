// An output that is constant.
// expect: static assertion failed: .*the output is constant: give an array that can be written
#include "runtime/gs.h"

float add(float a, float b) { return a + b; }

#ifdef MENDED
using array = std::vector<float>;
#else
using array = const std::vector<float>;
#endif

void use(const std::vector<float>& x, array& y) { gs::vectorize<add>(x, x, gs::out(y)); }
