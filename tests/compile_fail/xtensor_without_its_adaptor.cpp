// An xtensor container, and no adaptor header included.
// expect: static assertion failed: .*include runtime/array/xtensor\.h for xtensor containers
#include <xtensor/xarray.hpp>

#include "runtime/gs.h"
#ifdef MENDED
#include "runtime/array/xtensor.h"
#endif

float add(float a, float b) { return a + b; }

auto use(const xt::xarray<float>& x) { return gs::vectorize<add>(x, 1.0f); }
