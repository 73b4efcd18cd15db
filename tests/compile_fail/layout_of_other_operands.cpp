// A layout with an operand that the function doesn't take.
// expect: static assertion failed: .*the layout has another number of operands than the function has parameters
#include "runtime/gs.h"

void l2(gs::view<const float> x, float& norm) {
  norm = 0;
  for (std::size_t i = 0; i < x.size(); ++i) norm += x[i] * x[i];
}

#ifdef MENDED
void use(const std::vector<float>& x) { gs::guvectorize<l2, "(i)->()">(x); }
#else
void use(const std::vector<float>& x) { gs::guvectorize<l2, "(i),(i)->()">(x); }
#endif
