// Sums of integers that would not hold them.
// expect: static assertion failed: .*inclusive_sum and exclusive_sum take integers of 4 or 8 bytes
#include "runtime/gs.h"

#ifdef MENDED
using sample = int;
#else
using sample = short;
#endif

auto use(const gs::device_array<sample>& x) { return gs::inclusive_sum(x); }
