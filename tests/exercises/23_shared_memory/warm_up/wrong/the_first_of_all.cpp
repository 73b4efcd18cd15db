// expect: wrong differences
// Warm-up for 23: one number for all threads of a block; ./gridstride check 23w says what is still missing.

#include "runtime/gs.h"

struct start {
  float value;
};

// Each block has a piece of x, a number for each of its threads, and subtracts the piece's first number from all of
// them. One thread fetches it for the others; what says that they wait for it?
GS_FN void from_the_first(gs::thread t, gs::shared<start> first, gs::view<const float> x, gs::view<float> out) {
  // Your turn.
  if (t.thread_rank() == 0) first->value = x[0];
  t.sync();
  if (t.grid() < x.size()) out[t.grid()] = x[t.grid()] - first->value;
  // Until here.
}
