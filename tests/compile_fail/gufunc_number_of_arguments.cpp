// An argument too many.
// expect: static assertion failed: .*one argument per input of its layout
#include "runtime/gs.h"

void l2(gs::view<const float> x, float& norm) {
  norm = 0;
  for (std::size_t i = 0; i < x.size(); ++i) norm += x[i] * x[i];
}
inline constexpr auto l2_norm = gs::guvectorize<l2, "(i)->()">;

#ifdef MENDED
void use(const std::vector<float>& x) { l2_norm(x); }
#else
void use(const std::vector<float>& x) { l2_norm(x, x); }
#endif
