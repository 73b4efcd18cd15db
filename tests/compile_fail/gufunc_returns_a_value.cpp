// A function that returns its result instead of writing it.
// expect: static assertion failed: .*f returns void; it writes to its last parameters
#include "runtime/gs.h"

#ifdef MENDED
void l2(gs::view<const float>, float& norm) { norm = 0; }
#else
float l2(gs::view<const float>, float& norm) { return norm = 0; }
#endif

#ifdef MENDED
void use(const std::vector<float>& x) { gs::guvectorize<l2, "(i)->()">(x); }
#else
void use(const std::vector<float>& x) { gs::guvectorize<l2, "(i)->()">(x); }
#endif
