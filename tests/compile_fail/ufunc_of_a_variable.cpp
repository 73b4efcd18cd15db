// A ufunc called without the tape, which wouldn't know of the call.
// expect: static assertion failed: .*this is a variable of a tape: write tape\(f, x\)
#include "runtime/grad/tape.h"
#include "runtime/gs.h"
#include "runtime/numpy/numpy.h"

struct sum_of_powers {
  template <class Tape, class X>
  auto operator()(Tape& tape, const X& x) const {
#ifdef MENDED
    return tape.sum(tape(gs::exp, x));
#else
    return tape.sum(gs::exp(x));
#endif
  }
};

auto use(const gs::device_array<float>& x) { return gs::taped(sum_of_powers()).grad(x); }
