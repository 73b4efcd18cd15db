// v[i] on a view of two dimensions.
// expect: static assertion failed: .*v\[i\] is for views of 1 dimension: write v\(i, j\)
#include "runtime/gs.h"

#ifdef MENDED
float use(gs::view<float, 2> x) { return x(0, 1); }
#else
float use(gs::view<float, 2> x) { return x[0]; }
#endif
