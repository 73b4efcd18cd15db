// No shared memory: each lane of a warp holds a body and hands it round. A thread has four bodies of its own.

#include "assessments/A4_nbody/task.h"

using state = gs::view<const float, 2>;
using state_after = gs::view<float, 2>;

constexpr unsigned threads = 32, own = 4;

struct body {
  float x = 0, y = 0, z = 0, mass = 0;
};

GS_FN body fetch(state x, gs::view<const float> mass, std::size_t i) {
  return i < mass.size() ? body{x(0, i), x(1, i), x(2, i), mass[i]} : body{};
}

GS_FN void move(gs::thread t, state x, state v, gs::view<const float> mass, float softening, float step,
                state_after x_after, state_after v_after) {
  const std::size_t n = mass.size(), first = t.block_rank() * (own * threads) + t.thread_rank();
  body mine[own], pull[own];  // of a pull: its x, y and z
  for (unsigned b = 0; b < own; ++b) mine[b] = fetch(x, mass, first + b * threads);
  for (std::size_t begin = 0; begin < n; begin += gs::warp_size) {
    const body held = fetch(x, mass, begin + t.lane());
    for (unsigned lane = 0; lane < gs::warp_size; ++lane) {
      const body other{t.shuffle(held.x, lane), t.shuffle(held.y, lane), t.shuffle(held.z, lane),
                       t.shuffle(held.mass, lane)};
      for (unsigned b = 0; b < own; ++b) {
        const float dx = other.x - mine[b].x, dy = other.y - mine[b].y, dz = other.z - mine[b].z;
        const float square = dx * dx + dy * dy + dz * dz + softening * softening;
        const float weight = other.mass / (square * std::sqrt(square));
        pull[b].x += weight * dx;
        pull[b].y += weight * dy;
        pull[b].z += weight * dz;
      }
    }
  }
  for (unsigned b = 0; b < own; ++b) {
    const std::size_t i = first + b * threads;
    if (i >= n) continue;
    const float v_x = v(0, i) + step * pull[b].x, v_y = v(1, i) + step * pull[b].y, v_z = v(2, i) + step * pull[b].z;
    v_after(0, i) = v_x;
    v_after(1, i) = v_y;
    v_after(2, i) = v_z;
    x_after(0, i) = mine[b].x + step * v_x;
    x_after(1, i) = mine[b].y + step * v_y;
    x_after(2, i) = mine[b].z + step * v_z;
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
  const std::size_t n = masses.size();
  if (n == 0) return;
  const gs::launch_options grid{.grid = (n + own * threads - 1) / (own * threads), .block = threads};
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
