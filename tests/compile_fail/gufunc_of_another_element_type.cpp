// float64 where the function takes float32.
// expect: static assertion failed: .*no signature of this ufunc takes exactly these element types
#include "runtime/gs.h"

void l2(gs::view<const float> x, float& norm) {
  norm = 0;
  for (std::size_t i = 0; i < x.size(); ++i) norm += x[i] * x[i];
}
inline constexpr auto l2_norm = gs::guvectorize<l2, "(i)->()">;

#ifdef MENDED
void use(const std::vector<float>& x) { l2_norm(x); }
#else
void use(const std::vector<double>& x) { l2_norm(x); }
#endif
