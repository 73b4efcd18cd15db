// A function without a name, which nvcc can't make a kernel of.
// expect: static assertion failed: .*nvcc can't make a kernel of a lambda or of a struct without a name
#include "runtime/gs.h"

struct twice_as_much {
  GS_FN float operator()(float x) const { return 2 * x; }
};
#ifdef MENDED
inline constexpr auto doubled = gs::vectorize<twice_as_much{}>;
#else
inline constexpr auto doubled = gs::vectorize<[](float x) { return 2 * x; }>;
#endif

auto use(const gs::device_array<float>& x) { return doubled(x); }
