// A double literal for a float parameter: values are never converted.
// expect: static assertion failed: .*no signature of this ufunc takes exactly these element types.*1\.0f
#include "runtime/gs.h"

float add(float a, float b) { return a + b; }

#ifdef MENDED
constexpr auto one = 1.0f;
#else
constexpr auto one = 1.0;
#endif

auto use(const std::vector<float>& x) { return gs::vectorize<add>(x, one); }
