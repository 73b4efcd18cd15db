// An input that the function could change.
// expect: static assertion failed: .*an input is gs::view<const T, Rank>
#include "runtime/gs.h"

#ifdef MENDED
void l2(gs::view<const float>, float& norm) { norm = 0; }
#else
void l2(gs::view<float>, float& norm) { norm = 0; }
#endif

#ifdef MENDED
void use(const std::vector<float>& x) { gs::guvectorize<l2, "(i)->()">(x); }
#else
void use(const std::vector<float>& x) { gs::guvectorize<l2, "(i)->()">(x); }
#endif
