// Exercise 01: each element's square, by a kernel.

#include "runtime/gs.h"

GS_FN void square_all(gs::thread t, gs::view<float> x) {
  for (auto i : t.grid_stride(x.size())) {
    // Your turn: x[i] becomes its square.
    (void)i;
    // Until here.
  }
}
