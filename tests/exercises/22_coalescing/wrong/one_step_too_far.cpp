// expect: wrong roots of 8192
// Exercise 22: neighbours read neighbours; ./gridstride check 22 says what is still missing.

#include <cmath>

#include "runtime/gs.h"

constexpr unsigned each = 8;  // numbers of a thread

// The grid has enough threads for all numbers, `each` for one thread. A thread takes its numbers one after the other
// from memory, as a core of a CPU likes it best. What do 32 lanes do at once? Let thread t.grid() of t.gridsize() take
// other numbers, so that a warp reads and writes neighbours.
GS_FN void roots(gs::thread t, gs::view<const float> x, gs::view<float> out) {
  for (unsigned k = 0; k < each; ++k) {
    // Your turn.
    const std::size_t i = t.grid() + (k + 1) * t.gridsize();
    // Until here.
    if (i < out.size()) out[i] = std::sqrt(x[i]);
  }
}
