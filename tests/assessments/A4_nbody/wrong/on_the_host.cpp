// expect: host_work, graded whole
// Takes the bodies home, moves them there, and brings them back.

#include "assessments/A4_nbody/task.h"

#include <array>
#include <vector>

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
  bodies mine{positions.copy_to_host(), velocities.copy_to_host(), masses.copy_to_host()};
  for (unsigned k = 0; k < steps; ++k) move(mine, softening, step);
  positions_after.reshape({-1}).copy_from_host(mine.x);
  velocities_after.reshape({-1}).copy_from_host(mine.v);
}
