// Pointers mean nothing in another memory.
// expect: static assertion failed: .*to_device: the elements must be trivially copyable and no pointers
#include "runtime/gs.h"

#ifdef MENDED
using element = int;
#else
using element = int*;
#endif

auto use(const std::vector<element>& x) { return gs::to_device(x); }
