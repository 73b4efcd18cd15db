// Writing through a view of constant elements.
// expect: assignment of read-only location
#include "runtime/gs.h"

#ifdef MENDED
void use(gs::view<float> x) { x[0] = 1; }
#else
void use(gs::view<const float> x) { x[0] = 1; }
#endif
