// A function that takes no dual numbers.
// expect: static assertion failed: .*grad<f>: f takes no dual numbers: its call must be a template
#include "runtime/grad/grad.h"
#include "runtime/gs.h"

struct doubled_number {
#ifdef MENDED
  template <class T>
  GS_FN T operator()(T x) const {
    return 2 * x;
  }
#else
  GS_FN float operator()(float x) const { return 2 * x; }
#endif
};

auto use(const gs::device_array<float>& x) { return gs::grad<doubled_number{}>(x); }
