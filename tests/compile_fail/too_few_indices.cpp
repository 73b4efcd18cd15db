// One index for a view of two dimensions.
// expect: static assertion failed: .*a view takes as many indices as it has dimensions
#include "runtime/gs.h"

#ifdef MENDED
float use(gs::view<float, 2> x) { return x(0, 1); }
#else
float use(gs::view<float, 2> x) { return x(0); }
#endif
