// expect: radius of the point (3e+30, 4e+30)
// Exercise 07: device functions. Mend the first place and fill in the second; ./gridstride check 07 says what is still
// wrong.

#include <cmath>

#include "runtime/gs.h"

struct point {
  float x, y;
};
struct polar {
  float radius, angle;
};

// 1. The distance of two points in polar coordinates, in a disc: a radius below 0 counts as 0, one above the limit as
// the limit. NaN stays NaN. Three functions that call each other, and the result is wrong. Which of them is it?
// Your turn: call each with numbers whose result you know, and mend the one that lies.
GS_FN point polar_to_cartesian(float radius, float angle) {
  return {radius * std::cos(angle), radius * std::sin(angle)};
}
GS_FN float clamp(float x, float low, float high) {
  if (x < low) return low;
  if (x > high) return high;
  return x;
}
GS_FN float distance_within(float radius, float angle, float other_radius, float other_angle, float limit) {
  const point a = polar_to_cartesian(clamp(radius, 0, limit), angle);
  const point b = polar_to_cartesian(clamp(other_radius, 0, limit), other_angle);
  const float dx = a.x - b.x, dy = a.y - b.y;
  return std::sqrt(dx * dx + dy * dy);
}
// Until here.
inline constexpr auto disc_distance = gs::vectorize<distance_within>;

// 2. The way back: the radius, and the angle from -pi to pi, right in all four quadrants.
GS_FN polar cartesian_to_polar(point p) {
  // Your turn.
  return {std::sqrt(p.x * p.x + p.y * p.y), std::atan2(p.y, p.x)};
  // Until here.
}
