// An output that can be changed itself but looks at constant elements.
// expect: static assertion failed: .*the output is constant: give an array that can be written
#include <xtensor/xview.hpp>

#include "runtime/array/xtensor.h"
#include "runtime/gs.h"

float add(float a, float b) { return a + b; }

#ifdef MENDED
using array = xt::xarray<float>;
#else
using array = const xt::xarray<float>;
#endif

void use(const std::vector<float>& x, array& y) {
  auto row = xt::view(y, 0);
  gs::vectorize<add>(x, x, gs::out(row));
}
