// expect: add: sectors moved
// Exercise 21: grids of two dimensions. Fill in the marked places; ./gridstride check 21 says what is still missing.

#include <algorithm>
#include <cstddef>

#include "runtime/gs.h"

// 1. Adds 1 to each element of a. The grid has at least one thread for each element, and mostly more.
GS_FN void increment(gs::thread t, gs::view<float, 2> a) {
  // Your turn.
  const std::size_t row = t.grid_y(), column = t.grid_x();
  if (row < a.extent(0) && column < a.extent(1)) a(row, column) += 1;
  // Until here.
}

// 2. out = a + b, all of one shape, whatever the grid.
GS_FN void add(gs::thread t, gs::view<const float, 2> a, gs::view<const float, 2> b, gs::view<float, 2> out) {
  // Your turn.
  for (auto row : t.grid_stride(out.extent(0)))
    for (auto column : t.grid_stride_y(out.extent(1))) out(row, column) = a(row, column) + b(row, column);
  // Until here.
}

// 3. Blocks of 32 x 8 threads, 32 of them along a row of the matrix: as few blocks as give each element a thread, but
// at least one along each dimension.
gs::launch_options shape_for(std::size_t rows, std::size_t columns) {
  // Your turn.
  const std::size_t along_x = std::max<std::size_t>(1, (columns + 31) / 32);
  const std::size_t along_y = std::max<std::size_t>(1, (rows + 7) / 8);
  return {.grid = {along_x, along_y}, .block = {32, 8}};
  // Until here.
}
