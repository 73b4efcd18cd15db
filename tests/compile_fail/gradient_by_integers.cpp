// The gradient by an array of integers.
// expect: static assertion failed: .*taped: an argument is an array of integers, which has no gradient
#include "runtime/grad/tape.h"
#include "runtime/gs.h"

struct sum_of_products {
  template <class Tape, class X>
  auto operator()(Tape& tape, const X& x) const {
    return tape.sum(x * x);
  }
};

#ifdef MENDED
using number = float;
#else
using number = int;
#endif
auto use(const gs::device_array<number>& x) { return gs::taped(sum_of_products()).grad(x); }
