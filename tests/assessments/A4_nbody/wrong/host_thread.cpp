// expect: host_work
// A thread of the host moves the bodies in the device's memory.

#include "assessments/A4_nbody/task.h"

#include <thread>
#include <vector>

void advance(const gs::device_array<float>& positions, const gs::device_array<float>& velocities,
             const gs::device_array<float>& masses, float softening, float step, unsigned steps,
             const gs::device_array<float>& positions_after, const gs::device_array<float>& velocities_after) {
  std::thread([&] {
    const std::size_t n = masses.size();
    float *x = positions_after.data(), *v = velocities_after.data();
    for (std::size_t k = 0; k < 3 * n; ++k) {
      x[k] = positions.data()[k];
      v[k] = velocities.data()[k];
    }
    for (unsigned turn = 0; turn < steps; ++turn) {
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
          const float dx = x[j] - x[i], dy = x[n + j] - x[n + i], dz = x[2 * n + j] - x[2 * n + i];
          const float square = dx * dx + dy * dy + dz * dz + softening * softening;
          const float weight = step * masses.data()[j] / (square * std::sqrt(square));
          v[i] += weight * dx;
          v[n + i] += weight * dy;
          v[2 * n + i] += weight * dz;
        }
      for (std::size_t k = 0; k < 3 * n; ++k) x[k] += step * v[k];
    }
  }).join();
}
