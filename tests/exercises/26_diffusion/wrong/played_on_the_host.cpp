// expect: 20 generations: copies
// Exercise 26: Conway's Game of Life, and something is wrong with it. Find it, and mend it; ./gridstride check 26 says
// what is still missing.
//
// A cell has eight neighbours. It lives in the next generation if three of them live, or if two of them live and it
// lives itself. The field has no edge: right of the last column lies the first, below the last row the first.

#include <utility>
#include <vector>

#include "runtime/gs.h"

// How many of the eight neighbours live.
GS_FN int living_neighbours(gs::view<const int, 2> field, std::size_t row, std::size_t column) {
  const std::size_t rows = field.extent(0), columns = field.extent(1);
  int living = -field(row, column);
  for (std::size_t y = row + rows - 1; y <= row + rows + 1; ++y)
    for (std::size_t x = column + columns - 1; x <= column + columns + 1; ++x) living += field(y % rows, x % columns);
  return living;
}

// Your turn: kernel, launch or both. A second field is worth its memory; copying it in each generation costs too much.
GS_FN void generation(gs::thread t, gs::view<const int, 2> now, gs::view<int, 2> next) {
  const std::size_t row = t.grid_y(), column = t.grid_x();
  if (row >= now.extent(0) || column >= now.extent(1)) return;
  const int neighbours = living_neighbours(now, row, column);
  next(row, column) = neighbours == 3 || (neighbours == 2 && now(row, column) == 1);
}

void play(gs::device_array<int>& field, std::size_t generations) {
  const std::size_t across = (field.extent(1) + 31) / 32, down = (field.extent(0) + 7) / 8;
  static_cast<void>(across + down);
  const std::size_t rows = field.extent(0), columns = field.extent(1);
  std::vector<int> now = field.copy_to_host();
  for (std::size_t k = 0; k < generations; ++k) {
    std::vector<int> next = now;
    for (std::size_t i = 0; i < now.size(); ++i) {
      int living = -now[i];
      for (std::size_t y = i / columns + rows - 1; y <= i / columns + rows + 1; ++y)
        for (std::size_t x = i % columns + columns - 1; x <= i % columns + columns + 1; ++x)
          living += now[y % rows * columns + x % columns];
      next[i] = living == 3 || (living == 2 && now[i] == 1);
    }
    now = next;
  }
  field.copy_from_host(now);
}
// Until here.
