// Keys without an order.
// expect: static assertion failed: .*sort: the keys must be integers, bools, floats or doubles
#include "runtime/gs.h"

#ifdef MENDED
using key = double;
#else
using key = std::complex<float>;
#endif

auto use(const gs::device_array<key>& x) { return gs::sort(x); }
