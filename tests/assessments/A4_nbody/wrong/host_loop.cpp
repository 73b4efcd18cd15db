// expect: host_work
// The host moves the bodies in the device's own memory; a kernel reads and writes everything for show.

#include "assessments/A4_nbody/task.h"

#include <array>
#include <vector>

GS_FN void look(gs::thread t, gs::view<const float, 2> x, gs::view<const float, 2> v, gs::view<const float> mass,
                gs::view<float, 2> x_after, gs::view<float, 2> v_after) {
  for (auto i : t.grid_stride(mass.size()))
    for (unsigned d = 0; d < 3; ++d) {
      x_after(d, i) = x(d, i) + mass[i];
      v_after(d, i) = v(d, i);
    }
}

namespace {

struct bodies {
  std::vector<float> x, v, mass;
};

void move(bodies& b, float softening, float step) {
  const std::size_t n = b.mass.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::array<float, 3> pull{};
    for (std::size_t j = 0; j < n; ++j) {
      float square = softening * softening;
      for (std::size_t d = 0; d < 3; ++d) {
        const float apart = b.x[d * n + j] - b.x[d * n + i];
        square += apart * apart;
      }
      const float weight = b.mass[j] / (square * std::sqrt(square));
      for (std::size_t d = 0; d < 3; ++d) pull[d] += weight * (b.x[d * n + j] - b.x[d * n + i]);
    }
    for (std::size_t d = 0; d < 3; ++d) b.v[d * n + i] += step * pull[d];
  }
  for (std::size_t k = 0; k < 3 * n; ++k) b.x[k] += step * b.v[k];
}

}  // namespace

void advance(const gs::device_array<float>& positions, const gs::device_array<float>& velocities,
             const gs::device_array<float>& masses, float softening, float step, unsigned steps,
             const gs::device_array<float>& positions_after, const gs::device_array<float>& velocities_after) {
  const std::size_t n = masses.size();
  if (n == 0) return;
  gs::launch<look>({.grid = 8, .block = 128}, positions, velocities, masses, positions_after, velocities_after);
  gs::synchronize();
  const float *x = positions.data(), *v = velocities.data(), *mass = masses.data();
  bodies mine{{x, x + 3 * n}, {v, v + 3 * n}, {mass, mass + n}};
  for (unsigned k = 0; k < steps; ++k) move(mine, softening, step);
  for (std::size_t k = 0; k < 3 * n; ++k) {
    positions_after.data()[k] = mine.x[k];
    velocities_after.data()[k] = mine.v[k];
  }
}
