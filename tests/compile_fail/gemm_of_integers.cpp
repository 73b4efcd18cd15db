// A product of matrices that the libraries don't have.
// expect: static assertion failed: .*gemm takes arrays of float or of double
#include "runtime/gs.h"

#ifdef MENDED
using element = double;
#else
using element = int;
#endif

auto use(const gs::device_array<element>& a) { return gs::gemm(a, a); }
