// A bool result for a host array: std::vector<bool> has no elements to point to.
// expect: static assertion failed: .*let the function return std::uint8_t
#include "runtime/gs.h"

#ifdef MENDED
std::uint8_t is_less(float a, float b) { return a < b; }
#else
bool is_less(float a, float b) { return a < b; }
#endif

auto use(const std::vector<float>& x) { return gs::vectorize<is_less>(x, x); }
