// expect: threads of a warp work together
// Exercise 15: the grid-stride loop. Fill in the marked places; ./gridstride check 15 says what is still missing.

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "runtime/gs.h"

GS_FN float length_of(float x, float y) { return std::sqrt(x * x + y * y); }

// 1. out[i] = length_of(x[i], y[i]) for every i, whatever the grid, each i once.
GS_FN void lengths(gs::thread t, gs::view<const float> x, gs::view<const float> y, gs::view<float> out) {
  // Your turn.
  if (t.grid() > 0) return;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = length_of(x[i], y[i]);
  // Until here.
}

// 2. Each thread adds up the squares of its share of x and writes the sum to sums[t.grid()]. There is one element in
// sums for each thread of the grid, and it may hold anything at first.
GS_FN void sums_of_squares(gs::thread t, gs::view<const float> x, gs::view<float> sums) {
  // Your turn.
  float sum = 0;
  for (auto i : t.grid_stride(x.size())) sum += x[i] * x[i];
  sums[t.grid()] = sum;
  // Until here.
}

// 3. Blocks of 128 threads: enough of them that each of n elements has a thread, but at least 1 block and at most 1024.
gs::launch_options shape_for(std::size_t n) {
  // Your turn.
  const std::size_t blocks = (n + 127) / 128;
  return {.grid = std::clamp<std::size_t>(blocks, 1, 1024), .block = 128};
  // Until here.
}
