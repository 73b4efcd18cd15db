// polar_distance: how far two points in polar coordinates are apart, float32. Functions that call functions; four
// arrays in, one out, two sines and two cosines.
#include <cmath>
#include <numbers>

#include "bench/peers/peers.h"
#include "bench/peers/plain_loops.h"
#include "bench/workloads/ufunc_entrants.h"
#include "bench/workloads/workloads.h"

namespace bench {
namespace {

struct point {
  float x, y;
};
GS_FN point polar_to_cartesian(float radius, float angle) {
  const auto [sine, cosine] = gs::sin_cos(angle);
  return {radius * cosine, radius * sine};
}
GS_FN float distance_of(float radius, float angle, float other_radius, float other_angle) {
  const point a = polar_to_cartesian(radius, angle), b = polar_to_cartesian(other_radius, other_angle);
  const float dx = a.x - b.x, dy = a.y - b.y;
  return std::sqrt(dx * dx + dy * dy);
}
inline constexpr auto distance_ufunc = gs::vectorize<distance_of>;

struct polar_distance_arrays {
  explicit polar_distance_arrays(std::size_t n)
      : radius(n, [](std::size_t i) { return uniform(i, 1); }),
        angle(n, [](std::size_t i) { return std::numbers::pi * (2 * uniform(i, 2) - 1); }),
        other_radius(n, [](std::size_t i) { return uniform(i, 3); }),
        other_angle(n, [](std::size_t i) { return std::numbers::pi * (2 * uniform(i, 4) - 1); }),
        out(n) {}
  array_everywhere<float> radius, angle, other_radius, other_angle;
  outputs<float> out;
};

contest prepare_polar_distance(std::size_t n) {
  const auto a = std::make_shared<polar_distance_arrays>(n);
  const auto r = a->radius.host.read(), phi = a->angle.host.read();
  const auto s = a->other_radius.host.read(), psi = a->other_angle.host.read();
  const auto out = a->out.host.span();
  contest c;
  add_ufunc(c, a, distance_ufunc, a->out, a->radius, a->angle, a->other_radius, a->other_angle);
  add_peers(
      c, a, "OpenMP + libmvec", out, [=](stores how) { peers::polar_distance(r, phi, s, psi, out, how); },
      [=] { peers::plain::polar_distance(r, phi, s, psi, out); });
  add_gpu_limit(c, 5 * sizeof(float) * n);
  // Differences of coordinates up to 1: absolute, as float32 gives them.
  constexpr tolerance allowed{.relative = 1e-6, .absolute = 1e-6};
  check_agreement(c, a->out, allowed);
  c.ask_outside(make_assignment("polar_distance", c, a->out, allowed,
                                {{"radius", r}, {"angle", phi}, {"other_radius", s}, {"other_angle", psi}}));
  return c;
}

}  // namespace

workload polar_distance(std::size_t elements) {
  return {.name = "polar_distance",
          .text = "how far two points in polar coordinates are apart",
          .elements = elements,
          .dtype = "float32",
          .bytes = 5 * sizeof(float) * static_cast<double>(elements),
          .memory = 12 * sizeof(float) * elements,
          .wanted = demand{demand::of_peer, 1.15, "1.15 x peer"},
          .prepare = [elements] { return prepare_polar_distance(elements); }};
}

}  // namespace bench
