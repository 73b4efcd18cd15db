// The output before an input.
// expect: static assertion failed: .*gs::out\(array\) is the last argument
#include "runtime/gs.h"

float add(float a, float b) { return a + b; }

#ifdef MENDED
void use(const std::vector<float>& x, std::vector<float>& y) { gs::vectorize<add>(x, x, gs::out(y)); }
#else
void use(const std::vector<float>& x, std::vector<float>& y) { gs::vectorize<add>(x, gs::out(y), x); }
#endif
