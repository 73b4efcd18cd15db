// A quotient of integers: NumPy's would be floats.
// expect: static assertion failed: .*no signature of this ufunc takes exactly these element types
#include "runtime/gs.h"
#include "runtime/numpy/arithmetic.h"

#ifdef MENDED
auto use(const gs::device_array<int>& a, const gs::device_array<int>& b) { return gs::floor_divide(a, b); }
#else
auto use(const gs::device_array<int>& a, const gs::device_array<int>& b) { return gs::divide(a, b); }
#endif
