// expect: wrong distances of 1 x 1 points
// Exercise 24: distances between points. Change the marked place; ./gridstride check 24 says what is still missing.
//
// Row i of p is a point of k coordinates, row j of q another. d(i, j) is the square of their distance: the sum over all
// coordinates of (p(i, c) - q(j, c))^2. That is nearly a product of matrices, and no library has it.

#include <algorithm>

#include "runtime/gs.h"

constexpr unsigned side = 16;  // of a block and of a tile

// One number more in each row, so that the rows of a tile begin in different banks of shared memory (lesson 25).
struct tiles {
  gs::tile<float, side, side + 1> p, q;
};

// A thread for each distance. As it stands the kernel is right, but reads each coordinate once for every distance that
// it occurs in, and q in the wrong order: neighbouring threads read a whole row apart. Let the block fetch 16
// coordinates of its 16 points of p and of its 16 points of q, each of them once and neighbours side by side, and go on
// from there.
GS_FN void distances(gs::block<side, side> block, [[maybe_unused]] gs::shared<tiles> s, gs::view<const float, 2> p,
                     gs::view<const float, 2> q, gs::view<float, 2> d) {
  const std::size_t top = std::size_t{side} * block.block_idx().y, left = std::size_t{side} * block.block_idx().x;
  const std::size_t coordinates = p.extent(1);
  gs::per_thread sum(block, 0.0f);
  // Your turn.
  for (std::size_t first = 0; first < coordinates; first += side) {
    block.each([&](auto t) {
      const std::size_t c = first + t.x;
      s->p(t.y, t.x) = p(std::min(top + t.y, p.extent(0) - 1), std::min(c, coordinates - 1));
      s->q(t.y, t.x) = q(std::min(left + t.y, q.extent(0) - 1), std::min(c, coordinates - 1));
    });
    block.each([&](auto t) {
      for (unsigned i = 0; i < side; ++i) {
        const float difference = s->p(t.y, i) - s->q(t.x, i);
        sum[t] += difference * difference;
      }
    });
  }
  // Until here.
  block.each([&](auto t) {
    if (t.grid_y() < d.extent(0) && t.grid_x() < d.extent(1)) d(t.grid_y(), t.grid_x()) = sum[t];
  });
}

void squared_distances(const gs::device_array<float>& p, const gs::device_array<float>& q,
                       const gs::device_array<float>& d) {
  const auto blocks = [](std::size_t extent) { return std::max<std::size_t>(1, (extent + side - 1) / side); };
  gs::launch<distances>({.grid = {blocks(d.extent(1)), blocks(d.extent(0))}}, p, q, d);
}
