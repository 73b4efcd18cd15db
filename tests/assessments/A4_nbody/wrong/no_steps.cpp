// expect: wrong_answer
// Nothing to do in 0 steps, and so nothing is written.

#include "assessments/A4_nbody/task.h"

using state = gs::view<const float, 2>;
using state_after = gs::view<float, 2>;
using vector = gs::local_array<float, 3>;

constexpr unsigned threads = 128;
struct bodies {
  gs::tile<float, 4, threads> of;  // x, y, z, mass
};

GS_FN void move(gs::block<threads> block, gs::shared<bodies> tile, state x, state v, gs::view<const float> mass,
                float softening, float step, state_after x_after, state_after v_after) {
  const std::size_t n = mass.size();
  gs::per_thread place(block, vector{}), pull(block, vector{});
  block.each([&](auto t) {
    if (t.grid_x() < n) place[t] = vector{x(0, t.grid_x()), x(1, t.grid_x()), x(2, t.grid_x())};
  });
  for (std::size_t first = 0; first < n; first += threads) {
    const std::size_t here = n - first < threads ? n - first : threads;
    block.each_of(here, [&](std::size_t k) {
      for (unsigned d = 0; d < 3; ++d) tile->of(d, k) = x(d, first + k);
      tile->of(3, k) = mass[first + k];
    });
    block.each([&](auto t) {
      const vector own = place[t];
      vector sum = pull[t];
      for (std::size_t k = 0; k < here; ++k) {
        const float dx = tile->of(0, k) - own[0], dy = tile->of(1, k) - own[1], dz = tile->of(2, k) - own[2];
        const float square = dx * dx + dy * dy + dz * dz + softening * softening;
        const float weight = tile->of(3, k) / (square * std::sqrt(square));
        sum[0] += weight * dx;
        sum[1] += weight * dy;
        sum[2] += weight * dz;
      }
      pull[t] = sum;
    });
  }
  block.each([&](auto t) {
    const std::size_t i = t.grid_x();
    if (i >= n) return;
    const vector own = place[t], sum = pull[t];
    for (unsigned d = 0; d < 3; ++d) {
      const float faster = v(d, i) + step * sum[d];
      v_after(d, i) = faster;
      x_after(d, i) = own[d] + step * faster;
    }
  });
}

void advance(const gs::device_array<float>& positions, const gs::device_array<float>& velocities,
             const gs::device_array<float>& masses, float softening, float step, unsigned steps,
             const gs::device_array<float>& positions_after, const gs::device_array<float>& velocities_after) {
  const std::size_t n = masses.size();
  if (n == 0) return;
  const auto blocks = [](std::size_t elements) { return (elements + threads - 1) / threads; };
  // The last step ends in the arrays that are asked for, each one before it in the other ones.
  const gs::device_array<float> x(positions.shape()), v(velocities.shape());
  const auto *x_before = &positions, *v_before = &velocities;
  for (unsigned k = steps; k > 0; --k) {
    const auto *x_next = k % 2 == 1 ? &positions_after : &x, *v_next = k % 2 == 1 ? &velocities_after : &v;
    gs::launch<move>({.grid = blocks(n)}, *x_before, *v_before, masses, softening, step, *x_next, *v_next);
    x_before = x_next;
    v_before = v_next;
  }
}
