// expect: reads of global memory
// Warm-up for 23: one number for all threads of a block; ./gridstride check 23w says what is still missing.

#include "runtime/gs.h"

struct start {
  float value;
};

// Each block has a piece of x, a number for each of its threads, and subtracts the piece's first number from all of
// them. One thread fetches it for the others; what says that they wait for it?
GS_FN void from_the_first(gs::thread t, gs::shared<start> first, gs::view<const float> x, gs::view<float> out) {
  // Your turn.
  (void)first;
  const std::size_t begin = t.block_rank() * t.block_size();
  if (t.grid() < x.size()) out[t.grid()] = x[t.grid()] - x[begin];
  // Until here.
}
