// A tile of two dimensions takes two indices.
// expect: static assertion failed: .*an array takes as many indices as it has dimensions
#include "runtime/gs.h"

GS_FN float at(gs::tile<float, 4, 8>& x, int i) {
#ifdef MENDED
  return x(i, 0);
#else
  return x(i);
#endif
}
