// Thread style: a tile of 64 bodies. Bodies that aren't there have no mass, so that no thread counts.

#include "assessments/A4_nbody/task.h"

using state = gs::view<const float, 2>;
using state_after = gs::view<float, 2>;

constexpr unsigned threads = 64;
struct bodies {
  gs::tile<float, threads> x, y, z, mass;
};

GS_FN void move(gs::thread t, gs::shared<bodies> tile, state x, state v, gs::view<const float> mass, float softening,
                float step, state_after x_after, state_after v_after) {
  const std::size_t n = mass.size(), i = t.grid();
  const unsigned own = t.thread_rank();
  const bool is_there = i < n;
  const float my_x = is_there ? x(0, i) : 0, my_y = is_there ? x(1, i) : 0, my_z = is_there ? x(2, i) : 0;
  float pull_x = 0, pull_y = 0, pull_z = 0;
  for (std::size_t first = 0; first < n; first += threads) {
    const std::size_t j = first + own;
    tile->x[own] = j < n ? x(0, j) : 0;
    tile->y[own] = j < n ? x(1, j) : 0;
    tile->z[own] = j < n ? x(2, j) : 0;
    tile->mass[own] = j < n ? mass[j] : 0;
    t.sync();
    for (unsigned k = 0; k < threads; ++k) {
      const float dx = tile->x[k] - my_x, dy = tile->y[k] - my_y, dz = tile->z[k] - my_z;
      const float square = dx * dx + dy * dy + dz * dz + softening * softening;
      const float weight = tile->mass[k] / (square * std::sqrt(square));
      pull_x += weight * dx;
      pull_y += weight * dy;
      pull_z += weight * dz;
    }
    t.sync();
  }
  if (!is_there) return;
  const float v_x = v(0, i) + step * pull_x, v_y = v(1, i) + step * pull_y, v_z = v(2, i) + step * pull_z;
  v_after(0, i) = v_x;
  v_after(1, i) = v_y;
  v_after(2, i) = v_z;
  x_after(0, i) = my_x + step * v_x;
  x_after(1, i) = my_y + step * v_y;
  x_after(2, i) = my_z + step * v_z;
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
  const std::size_t n = masses.size();
  if (n == 0) return;
  const gs::launch_options grid{.grid = (n + threads - 1) / threads, .block = threads};
  if (steps == 0) gs::launch<copy>(grid, positions, velocities, positions_after, velocities_after);
  // The last step ends in the arrays that are asked for, each one before it in the other ones.
  const gs::device_array<float> x(positions.shape()), v(velocities.shape());
  const auto *x_before = &positions, *v_before = &velocities;
  for (unsigned k = steps; k > 0; --k) {
    const auto *x_next = k % 2 == 1 ? &positions_after : &x, *v_next = k % 2 == 1 ? &velocities_after : &v;
    gs::launch<move>(grid, *x_before, *v_before, masses, softening, step, *x_next, *v_next);
    x_before = x_next;
    v_before = v_next;
  }
}
