// Bits are counted in unsigned words: a signed number would silently become one.
// expect: no matching function for call to .*popcount
#include "runtime/gs.h"

#ifdef MENDED
int ones(unsigned x) { return gs::popcount(x); }
#else
int ones(int x) { return gs::popcount(x); }
#endif
