// Finite differences of a function of float arrays.
// expect: static assertion failed: .*check_gradient takes doubles
#include "runtime/grad/check_gradient.h"
#include "runtime/gs.h"

#ifdef MENDED
using number = double;
#else
using number = float;
#endif
auto use(const gs::device_array<number>& x) {
  return gs::check_gradient(gs::taped([](auto& tape, auto v) { return tape.sum(v * v); }), x);
}
