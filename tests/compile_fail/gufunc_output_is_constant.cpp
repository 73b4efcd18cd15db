// An output that the function can't write.
// expect: static assertion failed: .*an output is gs::view<T, Rank>
#include "runtime/gs.h"

#ifdef MENDED
void l2(gs::view<const float>, float& norm) { norm = 0; }
#else
void l2(gs::view<const float>, float) {}
#endif

#ifdef MENDED
void use(const std::vector<float>& x) { gs::guvectorize<l2, "(i)->()">(x); }
#else
void use(const std::vector<float>& x) { gs::guvectorize<l2, "(i)->()">(x); }
#endif
