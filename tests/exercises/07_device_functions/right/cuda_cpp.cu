// CUDA C++: functions of host and device.

#include "runtime/gs.h"

struct point {
  float x, y;
};
struct polar {
  float radius, angle;
};

__host__ __device__ point polar_to_cartesian(float radius, float angle) {
  return {radius * cosf(angle), radius * sinf(angle)};
}
__host__ __device__ float clamp(float x, float low, float high) { return x < low ? low : x > high ? high : x; }
__host__ __device__ float distance_within(float radius, float angle, float other_radius, float other_angle,
                                          float limit) {
  const point a = polar_to_cartesian(clamp(radius, 0, limit), angle);
  const point b = polar_to_cartesian(clamp(other_radius, 0, limit), other_angle);
  return hypotf(a.x - b.x, a.y - b.y);
}
inline constexpr auto disc_distance = gs::vectorize<distance_within>;

__host__ __device__ polar cartesian_to_polar(point p) { return {hypotf(p.x, p.y), atan2f(p.y, p.x)}; }
