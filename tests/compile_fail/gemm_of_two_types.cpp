// A matrix of floats times one of doubles.
// expect: static assertion failed: .*gemm: the arrays hold different types of element, and values are never converted
#include "runtime/gs.h"

#ifdef MENDED
using element = float;
#else
using element = double;
#endif

void use(const gs::device_array<float>& a, const gs::device_array<element>& b, gs::device_array<float>& c) {
  gs::gemm(a, b, gs::out(c));
}
