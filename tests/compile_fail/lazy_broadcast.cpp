// An array that xtensor repeats without storing the result: it has no strides.
// expect: static assertion failed: .*evaluate a lazy expression first
#include <xtensor/xbroadcast.hpp>

#include "runtime/array/xtensor.h"
#include "runtime/gs.h"

float add(float a, float b) { return a + b; }

#ifdef MENDED
auto use(const xt::xarray<float>& x) { return gs::vectorize<add>(xt::eval(xt::broadcast(x, {3, 4})), 1.0f); }
#else
auto use(const xt::xarray<float>& x) { return gs::vectorize<add>(xt::broadcast(x, {3, 4}), 1.0f); }
#endif
