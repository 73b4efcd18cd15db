// Flags that aren't of one byte.
// expect: static assertion failed: .*select_flagged: the flags must be bools or integers of one byte
#include "runtime/gs.h"

#ifdef MENDED
using flag = bool;
#else
using flag = float;
#endif

auto use(const gs::device_array<int>& x, const gs::device_array<flag>& flags) { return gs::select_flagged(x, flags); }
