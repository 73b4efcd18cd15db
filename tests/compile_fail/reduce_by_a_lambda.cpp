// A reduction by a function without a name.
// expect: static assertion failed: .*nvcc can't make a kernel of a lambda or of a struct without a name
#include "runtime/gs.h"

float add(float a, float b) { return a + b; }

#ifdef MENDED
float use(const std::vector<float>& x) { return gs::reduce<add>(x, 0.0f); }
#else
float use(const std::vector<float>& x) {
  return gs::reduce<[](float a, float b) { return a + b; }>(x, 0.0f);
}
#endif
