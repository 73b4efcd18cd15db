// How many bins? Only an array for them can tell.
// expect: static assertion failed: .*an output has a dimension that no input has: give the array with gs::out
#include "runtime/gs.h"

void count(gs::view<const int> x, gs::view<int> bins) { bins[0] = x[0]; }
inline constexpr auto histogram = gs::guvectorize<count, "(n)->(k)">;

#ifdef MENDED
void use(const std::vector<int>& x, std::vector<int>& bins) { histogram(x, gs::out(bins)); }
#else
void use(const std::vector<int>& x) { histogram(x); }
#endif
