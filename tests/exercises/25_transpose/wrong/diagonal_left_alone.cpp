// expect: numbers in the wrong place, 32 x 32
// Exercise 25: a square matrix is transposed in place, by tiles. Change the marked places; ./gridstride check 25 says
// what is still missing.

#include <algorithm>

#include "runtime/gs.h"

constexpr unsigned side = 32;  // of a tile and of a block

// What a block shares: the tile on its side of the diagonal and the one on the other side.
struct two_tiles {
  // Your turn: is a row of 32 numbers long enough?
  gs::tile<float, side, side + 1> right, left;
  // Until here.
};

// One block for each pair of tiles that change places: m(i, j) for m(j, i). As it stands the kernel is right, but of
// each pair of numbers one lies in a column: let the numbers change places in shared memory, so that all 32 lanes of a
// warp read side by side, and write side by side.
GS_FN void swap_tiles(gs::block<side, side> block, [[maybe_unused]] gs::shared<two_tiles> s, gs::view<float, 2> m) {
  const std::size_t n = m.extent(0);
  const std::size_t x = std::size_t{side} * block.block_idx().x, y = std::size_t{side} * block.block_idx().y;
  if (x <= y) return;  // the block on the other side of the diagonal does the work for both
  // Your turn.
  block.each([&](auto t) {
    if (y + t.y < n && x + t.x < n) s->right(t.y, t.x) = m(y + t.y, x + t.x);
    if (x + t.y < n && y + t.x < n) s->left(t.y, t.x) = m(x + t.y, y + t.x);
  });
  block.each([&](auto t) {
    if (x + t.y < n && y + t.x < n) m(x + t.y, y + t.x) = s->right(t.x, t.y);
    if (y + t.y < n && x + t.x < n && x != y) m(y + t.y, x + t.x) = s->left(t.x, t.y);
  });
  // Until here.
}

void transpose_in_place(const gs::device_array<float>& m) {
  const std::size_t tiles = std::max<std::size_t>(1, (m.extent(0) + side - 1) / side);
  gs::launch<swap_tiles>({.grid = {tiles, tiles}}, m);
}
