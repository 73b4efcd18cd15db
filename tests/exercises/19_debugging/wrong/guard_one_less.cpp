// expect: outside shape
// Exercise 19: debugging. Each of the three kernels has one bug; ./gridstride check 19 says what the instruments see.

#include <algorithm>
#include <cstddef>

#include "runtime/gs.h"

// 1. out[i] is the mean of x[i] and its two neighbours; out has two elements fewer than x, since the first and the last
// have one neighbour only: out[0] belongs to x[1].
// Your turn.
GS_FN void smooth(gs::thread t, gs::view<const float> x, gs::view<float> out) {
  const std::size_t i = t.grid();
  if (i <= out.size() - 1) out[i] = (x[i] + x[i + 1] + x[i + 2]) / 3;
}
// Until here.

constexpr unsigned block_size = 64;
struct shelf {
  gs::tile<float, block_size> x;
};

// 2. Each block of 64 threads turns its 64 elements round: the first becomes the last. x has a multiple of 64 elements.
// Your turn.
GS_FN void turn_round(gs::thread t, gs::shared<shelf> s, gs::view<float> x) {
  const unsigned rank = t.thread_rank();
  s->x[rank] = x[t.grid()];
  t.sync();
  x[t.grid()] = s->x[block_size - 1 - rank];
}
// Until here.

// 3. largest[row] is the largest element of the row, which has at least one; largest holds nothing at first.
// Your turn.
GS_FN void largest_of_rows(gs::thread t, gs::view<const float, 2> a, gs::view<float> largest) {
  const std::size_t row = t.grid();
  if (row >= largest.size()) return;
  float most = a(row, 0);
  for (std::size_t k = 1; k < a.extent(1); ++k) most = std::max(most, a(row, k));
  largest[row] = most;
}
// Until here.
