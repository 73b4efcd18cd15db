// The derivative by an integer.
// expect: static assertion failed: .*grad<f, K...>: an argument is an integer, which has no derivative
#include "runtime/grad/grad.h"
#include "runtime/gs.h"

struct twice_the_number {
  template <class T>
  GS_FN T operator()(T x) const {
    return static_cast<T>(2 * x);
  }
};

#ifdef MENDED
using number = float;
#else
using number = int;
#endif
auto use(const gs::device_array<number>& x) { return gs::grad<twice_the_number{}>(x); }
