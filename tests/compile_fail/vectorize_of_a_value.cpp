// vectorize of something that is no function.
// expect: static assertion failed: .*vectorize<f, ...>: each f must be a function
#include "runtime/gs.h"

int twice(int a) { return 2 * a; }
constexpr int two = 2;

#ifdef MENDED
constexpr auto f = gs::vectorize<twice>;
#else
constexpr auto f = gs::vectorize<two>;
#endif
