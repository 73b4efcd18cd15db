// Exercise 90: a counter.

#include "runtime/gs.h"

// How many elements are above the limit, into count[0].
GS_FN void count_above(gs::thread t, gs::view<const float> x, float limit, gs::view<unsigned> count) {
  // Your turn.
  if (t.grid() == 0) count[0] = 0;
  // Until here.
}
