// Values of a size that sort_by_key doesn't move.
// expect: static assertion failed: .*sort_by_key: the values must be of 1, 2, 4, 8 or 16 bytes; sort their indices
#include "runtime/gs.h"

#ifdef MENDED
struct particle {
  float x, y, z, mass;
};
#else
struct particle {
  float x, y, z;
};
#endif

auto use(const gs::device_array<int>& cell, const gs::device_array<particle>& p) { return gs::sort_by_key(cell, p); }
