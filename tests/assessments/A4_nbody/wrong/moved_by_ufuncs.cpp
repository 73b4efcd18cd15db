// expect: criterion:own_kernels
// A kernel adds up the pulls; ufuncs move the bodies.

#include "assessments/A4_nbody/task.h"

using state = gs::view<const float, 2>;
using state_after = gs::view<float, 2>;

constexpr unsigned threads = 64;
struct bodies {
  gs::tile<float, threads> x, y, z, mass;
};

GS_FN void add_up(gs::thread t, gs::shared<bodies> tile, state x, gs::view<const float> mass, float softening,
                  state_after pull) {
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
  pull(0, i) = pull_x;
  pull(1, i) = pull_y;
  pull(2, i) = pull_z;
}

GS_FN float further(float x, float rate, float step) { return x + step * rate; }
constexpr auto moved = gs::vectorize<further>;

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
  gs::device_array<float> x = positions_after.reshape({3, -1}), v = velocities_after.reshape({3, -1});
  const gs::device_array<float> pull(positions.shape());
  for (unsigned k = 0; k < steps; ++k) {
    const auto &x_before = k == 0 ? positions : x, &v_before = k == 0 ? velocities : v;
    gs::launch<add_up>(grid, x_before, masses, softening, pull);
    moved(v_before, pull, step, gs::out(v));
    moved(x_before, v, step, gs::out(x));
  }
}
