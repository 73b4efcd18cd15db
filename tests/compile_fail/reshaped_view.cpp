// A view with strides of its own, that don't belong to the elements in memory: xtensor finds those one by one.
// expect: static assertion failed: .*evaluate a lazy expression first
#include <xtensor/xstrided_view.hpp>

#include "runtime/array/xtensor.h"
#include "runtime/gs.h"

float add(float a, float b) { return a + b; }

#ifdef MENDED
auto use(const xt::xarray<float>& x) {
  return gs::vectorize<add>(xt::eval(xt::reshape_view(xt::transpose(x), {1, 6})), 1.0f);
}
#else
auto use(const xt::xarray<float>& x) { return gs::vectorize<add>(xt::reshape_view(xt::transpose(x), {1, 6}), 1.0f); }
#endif
