// A number where the layout has a dimension.
// expect: static assertion failed: .*an input has fewer dimensions than its operand
#include "runtime/gs.h"

void l2(gs::view<const float> x, float& norm) {
  norm = 0;
  for (std::size_t i = 0; i < x.size(); ++i) norm += x[i] * x[i];
}
inline constexpr auto l2_norm = gs::guvectorize<l2, "(i)->()">;

#ifdef MENDED
void use(const std::vector<float>& x) { l2_norm(x); }
#else
void use() { l2_norm(1.0f); }
#endif
