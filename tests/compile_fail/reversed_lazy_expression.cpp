// What is reversed has no elements yet, although the view of it has strides.
// expect: static assertion failed: .*evaluate a lazy expression first
#include <xtensor/xmanipulation.hpp>

#include "runtime/array/xtensor.h"
#include "runtime/gs.h"

float add(float a, float b) { return a + b; }

#ifdef MENDED
auto use(const xt::xarray<float>& x) { return gs::vectorize<add>(xt::flip(x, 0), 1.0f); }
#else
auto use(const xt::xarray<float>& x) { return gs::vectorize<add>(xt::flip(x + x, 0), 1.0f); }
#endif
