// A float64 array for float32 results.
// expect: static assertion failed: .*the output's element type differs from the ufunc's result
#include "runtime/gs.h"

void l2(gs::view<const float> x, float& norm) {
  norm = 0;
  for (std::size_t i = 0; i < x.size(); ++i) norm += x[i] * x[i];
}
inline constexpr auto l2_norm = gs::guvectorize<l2, "(i)->()">;

#ifdef MENDED
void use(const std::vector<float>& x, std::vector<float>& y) { l2_norm(x, gs::out(y)); }
#else
void use(const std::vector<float>& x, std::vector<double>& y) { l2_norm(x, gs::out(y)); }
#endif
