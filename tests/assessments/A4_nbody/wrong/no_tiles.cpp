// expect: criterion:tiles
// Each thread reads all bodies from global memory.

#include "assessments/A4_nbody/task.h"

using state = gs::view<const float, 2>;
using state_after = gs::view<float, 2>;

GS_FN void move(gs::thread t, state x, state v, gs::view<const float> mass, float softening, float step,
                state_after x_after, state_after v_after) {
  for (auto i : t.grid_stride(mass.size())) {
    gs::local_array<float, 3> pull{};
    for (std::size_t j = 0; j < mass.size(); ++j) {
      const float dx = x(0, j) - x(0, i), dy = x(1, j) - x(1, i), dz = x(2, j) - x(2, i);
      const float square = dx * dx + dy * dy + dz * dz + softening * softening;
      const float weight = mass[j] / (square * std::sqrt(square));
      pull[0] += weight * dx;
      pull[1] += weight * dy;
      pull[2] += weight * dz;
    }
    for (unsigned d = 0; d < 3; ++d) {
      v_after(d, i) = v(d, i) + step * pull[d];
      x_after(d, i) = x(d, i) + step * v_after(d, i);
    }
  }
}

GS_FN void copy(gs::thread t, state x, state v, state_after x_after, state_after v_after) {
  for (auto i : t.grid_stride(x.extent(1)))
    for (unsigned d = 0; d < 3; ++d) {
      x_after(d, i) = x(d, i);
      v_after(d, i) = v(d, i);
    }
}

void advance(const gs::device_array<float>& positions, const gs::device_array<float>& velocities,
             const gs::device_array<float>& masses, float softening, float step, unsigned steps,
             const gs::device_array<float>& positions_after, const gs::device_array<float>& velocities_after) {
  const gs::launch_options grid{.grid = 64, .block = 128};
  const gs::device_array<float> x(positions.shape()), v(velocities.shape());
  if (steps == 0) gs::launch<copy>(grid, positions, velocities, positions_after, velocities_after);
  // The last step ends in the arrays that are asked for, each one before it in the other ones.
  const auto *x_before = &positions, *v_before = &velocities;
  for (unsigned k = steps; k > 0; --k) {
    const auto *x_next = k % 2 == 1 ? &positions_after : &x, *v_next = k % 2 == 1 ? &velocities_after : &v;
    gs::launch<move>(grid, *x_before, *v_before, masses, softening, step, *x_next, *v_next);
    x_before = x_next;
    v_before = v_next;
  }
}
