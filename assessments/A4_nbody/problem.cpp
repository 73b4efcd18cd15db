// Task A4, the trusted side: bodies of three kinds, and the same steps in float64.

#include "assessments/grader/tasks/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "assessments/grader/tasks/counter_random.h"
#include "assessments/grader/tasks/elements.h"
#include "runtime/core/error.h"

namespace grader {
namespace {

const std::vector<std::string> kinds_of_bodies = {"cluster", "pairs", "disk"};

// As the function gets them. All masses together are about 1 and most bodies are within a distance of about 1, so they
// fall in a time of about 1. An error grows with the time that passes: few steps, so that float32's stay small.
constexpr float softening = 0.1f, time_step = 0.02f;
constexpr std::uint64_t most_bodies = 5'003, most_steps = 16;

// Float32 stays below a tenth of each: of a coordinate, beside its size or 1; of the energy, beside kinetic and
// potential energy without their signs.
constexpr double coordinate_tolerance = 1e-4, energy_tolerance = 1e-5;

double tolerance_of_coordinate(double expected) { return coordinate_tolerance * std::max(1.0, std::abs(expected)); }

struct body {
  std::array<float, 3> x, v;
  float mass;
};

float between(float low, float high, std::uint64_t bits) { return low + (high - low) * upper_uniform(bits); }

// A cloud with bodies of all directions.
body of_cluster(std::uint64_t seed, std::size_t n) {
  const auto random = [seed](std::uint64_t k) { return random_bits(seed, k); };
  return {.x = {0.5f * normal(random(0)), 0.5f * normal(random(1)), 0.5f * normal(random(2))},
          .v = {0.4f * normal(random(3)), 0.4f * normal(random(4)), 0.4f * normal(random(5))},
          .mass = between(0.5f, 1.5f, random(6)) / static_cast<float>(n)};
}

// Body 0 is heavy, and all others go round it; every third of them has no mass.
body of_disk(std::uint64_t seed, std::size_t n, std::size_t i) {
  const auto random = [seed](std::uint64_t k) { return random_bits(seed, k); };
  if (i == 0) return {.x = {0.1f, -0.2f, 0.05f}, .v = {0.3f, 0.1f, -0.2f}, .mass = 1};
  const float radius = between(0.3f, 1.2f, random(0)), angle = between(0, 2 * std::numbers::pi_v<float>, random(1)),
              speed = 1 / std::sqrt(radius);
  return {.x = {0.1f + radius * std::cos(angle), -0.2f + radius * std::sin(angle), 0.1f * normal(random(2))},
          .v = {0.3f - speed * std::sin(angle), 0.1f + speed * std::cos(angle), -0.2f},
          .mass = i % 3 == 0 ? 0 : 0.5f * upper_uniform(random(3)) / static_cast<float>(n)};
}

struct bodies {
  std::size_t n = 0;
  std::array<std::vector<double>, 3> x, v;
  std::vector<double> mass;
};

bodies in_float64(std::span<const float> x, std::span<const float> v, std::span<const float> mass) {
  bodies b{.n = mass.size(), .x = {}, .v = {}, .mass = {mass.begin(), mass.end()}};
  for (std::size_t d = 0; d < 3; ++d) {
    const auto coordinates = [&](std::span<const float> of_all) {
      const auto one = of_all.subspan(d * b.n, b.n);
      return std::vector<double>(one.begin(), one.end());
    };
    b.x[d] = coordinates(x);
    b.v[d] = coordinates(v);
  }
  return b;
}

constexpr std::size_t bodies_per_piece = 64;

// |x(j) - x(i)|^2 + softening^2
double softened_square(const bodies& b, std::size_t i, std::size_t j) {
  double square = double{softening} * double{softening};
  for (std::size_t d = 0; d < 3; ++d) square += (b.x[d][j] - b.x[d][i]) * (b.x[d][j] - b.x[d][i]);
  return square;
}

void advance(bodies& b) {
  gs::for_pieces(b.n, bodies_per_piece, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::array<double, 3> pull{};
      for (std::size_t j = 0; j < b.n; ++j) {
        const double square = softened_square(b, i, j), weight = b.mass[j] / (square * std::sqrt(square));
        for (std::size_t d = 0; d < 3; ++d) pull[d] += weight * (b.x[d][j] - b.x[d][i]);
      }
      for (std::size_t d = 0; d < 3; ++d) b.v[d][i] += double{time_step} * pull[d];
    }
  });
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t i = 0; i < b.n; ++i) b.x[d][i] += double{time_step} * b.v[d][i];
}

struct energies {
  double kinetic = 0, potential = 0;
  double sum() const { return kinetic + potential; }
};

energies energy_of(const bodies& b) {
  std::vector<double> potential(b.n);
  gs::for_pieces(b.n, bodies_per_piece, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t j = 0; j < i; ++j) potential[i] -= b.mass[i] * b.mass[j] / std::sqrt(softened_square(b, i, j));
  });
  energies e;
  for (std::size_t i = 0; i < b.n; ++i) {
    e.potential += potential[i];
    for (std::size_t d = 0; d < 3; ++d) e.kinetic += 0.5 * b.mass[i] * b.v[d][i] * b.v[d][i];
  }
  return e;
}

class nbody_task final : public problem {
 public:
  call_plan plan(const test_case& c) const override {
    const std::uint64_t n = size_of(c, "bodies"), steps = size_of(c, "steps");
    if (std::ranges::find(kinds_of_bodies, c.data) == kinds_of_bodies.end()) refuse_data(c, kinds_of_bodies);
    if (n > most_bodies)
      throw gs::error(fmt::format("a call with {} bodies", n), fmt::format("A4 promises 0 to {}", most_bodies),
                      "change \"bodies\" in task.json");
    if (steps > most_steps)
      throw gs::error(fmt::format("a call of {} steps", steps),
                      fmt::format("after more than {} float32 is too far from float64", most_steps),
                      "change \"steps\" in task.json");
    using role = array_role;
    return {.arrays = {{.name = "positions", .role = role::device_input, .extents = {3, n}},
                       {.name = "velocities", .role = role::device_input, .extents = {3, n}},
                       {.name = "masses", .role = role::device_input, .extents = {n}},
                       {.name = "positions_after", .role = role::device_output, .extents = {3, n}},
                       {.name = "velocities_after", .role = role::device_output, .extents = {3, n}}},
            .numbers = {softening, time_step, static_cast<double>(steps)}};
  }

  void make_inputs(const test_case& c, std::uint64_t seed,
                   std::span<const std::span<std::byte>> arrays) const override {
    const auto x = elements<float>(arrays[0]), v = elements<float>(arrays[1]), mass = elements<float>(arrays[2]);
    const std::size_t n = mass.size();
    for (std::size_t i = 0; i < n; ++i) {
      const auto own = [&](std::size_t k) { return random_bits(seed, k); };
      body b = c.data == "disk" ? of_disk(own(i), n, i) : of_cluster(own(i), n);
      if (c.data == "pairs" && i % 2 == 1) {  // beside the body before it, or where that one is
        const float distance = i % 4 == 1 ? 0 : 0.02f;
        for (std::size_t d = 0; d < 3; ++d)
          b.x[d] = x[d * n + i - 1] + distance * (2 * upper_uniform(random_bits(own(i), 7 + d)) - 1);
      }
      for (std::size_t d = 0; d < 3; ++d) {
        x[d * n + i] = b.x[d];
        v[d * n + i] = b.v[d];
      }
      mass[i] = b.mass;
    }
  }

  std::optional<wrong_answer> check(const test_case& c,
                                    std::span<const std::span<const std::byte>> arrays) const override {
    const auto mass = elements<float>(arrays[2]);
    const auto x = elements<float>(arrays[3]), v = elements<float>(arrays[4]);
    bodies expected = in_float64(elements<float>(arrays[0]), elements<float>(arrays[1]), mass);
    const energies before = energy_of(expected);
    for (std::uint64_t k = 0; k < size_of(c, "steps"); ++k) advance(expected);
    if (auto wrong = first_wrong("positions_after", x, expected.x)) return wrong;
    if (auto wrong = first_wrong("velocities_after", v, expected.v)) return wrong;

    const energies after = energy_of(expected), got = energy_of(in_float64(x, v, mass));
    const double allowed = energy_tolerance * (after.kinetic - after.potential);
    if (std::abs(got.sum() - after.sum()) <= allowed) return {};
    return wrong_answer{
        .array = "the energy of all bodies",
        .index = {},
        .extents = {},
        .expected = after.sum(),
        .got = got.sum(),
        .tolerance = allowed,
        .wrong = 1,
        .explanation = fmt::format("It was {:.6g} before the first step. Each coordinate is near enough by itself, but "
                                   "their errors point in the same direction",
                                   before.sum())};
  }

 private:
  static std::optional<wrong_answer> first_wrong(const char* name, std::span<const float> got,
                                                 const std::array<std::vector<double>, 3>& expected) {
    const std::size_t n = expected[0].size();
    const auto expected_at = [&](std::size_t k) { return expected[k / n][k % n]; };
    const auto wrong = find_wrong(got.size(), [&](std::size_t k) {
      return !(std::abs(double{got[k]} - expected_at(k)) <= tolerance_of_coordinate(expected_at(k)));  // NaN is wrong
    });
    if (wrong.count == 0) return {};
    const std::size_t k = wrong.first;
    return wrong_answer{.array = name,
                        .index = {k / n, k % n},
                        .extents = {3, n},
                        .expected = expected_at(k),
                        .got = got[k],
                        .tolerance = tolerance_of_coordinate(expected_at(k)),
                        .wrong = wrong.count,
                        .explanation = fmt::format("{} of body {}", "xyz"[k / n], k % n)};
  }
};

}  // namespace

std::unique_ptr<problem> nbody_problem() { return std::make_unique<nbody_task>(); }

}  // namespace grader
