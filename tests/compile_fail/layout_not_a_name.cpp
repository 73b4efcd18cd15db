// NumPy's mark for a dimension that may be missing.
// expect: static assertion failed: .*layout: a dimension is a name
#include "runtime/gs.h"

void l2(gs::view<const float> x, float& norm) {
  norm = 0;
  for (std::size_t i = 0; i < x.size(); ++i) norm += x[i] * x[i];
}

#ifdef MENDED
void use(const std::vector<float>& x) { gs::guvectorize<l2, "(i)->()">(x); }
#else
void use(const std::vector<float>& x) { gs::guvectorize<l2, "(i?)->()">(x); }
#endif
