// Lesson 07: functions that call functions, on the device; and a clamp that a million right distances would hide.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

// Two numbers that belong together. A device function may return them as one.
struct point {
  float x, y;
};
GS_FN point polar_to_cartesian(float radius, float angle) {
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

GS_FN float distance_between(point a, point b) {
  const float dx = a.x - b.x, dy = a.y - b.y;
  return std::sqrt(dx * dx + dy * dy);
}

// The distance between two points in polar coordinates: three calls, and no trace of them in the machine code.
GS_FN float distance_of(float radius, float angle, float other_radius, float other_angle) {
  return distance_between(polar_to_cartesian(radius, angle), polar_to_cartesian(other_radius, other_angle));
}
inline constexpr auto polar_distance = gs::vectorize<distance_of>;

// The same formula, with a sine and a cosine that a loop can compute for many angles at once.
GS_FN point polar_to_cartesian_in_vectors(float radius, float angle) {
  const auto [sine, cosine] = gs::sin_cos(angle);
  return {radius * cosine, radius * sine};
}
GS_FN float distance_in_vectors(float radius, float angle, float other_radius, float other_angle) {
  return distance_between(polar_to_cartesian_in_vectors(radius, angle),
                          polar_to_cartesian_in_vectors(other_radius, other_angle));
}
inline constexpr auto polar_distance_in_vectors = gs::vectorize<distance_in_vectors>;

// Limits x to low ... high. The first is how a widely read article printed it.
GS_FN float clamp_as_printed(float x, float low, float high) {
  if (x < low) return low;
  if (x > low) return high;
  return x;
}
GS_FN float clamp(float x, float low, float high) {
  if (x < low) return low;
  if (x > high) return high;
  return x;
}
inline constexpr auto clamped_as_printed = gs::vectorize<clamp_as_printed>;
inline constexpr auto clamped = gs::vectorize<clamp>;

std::vector<float> random_numbers(std::size_t size, std::uint64_t seed, float low, float high) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(seed));
  std::uniform_real_distribution<float> within(low, high);
  std::vector<float> x(size);
  for (float& value : x) value = within(random);
  return x;
}

constexpr float pi = 3.14159265f;

void distances(std::size_t size, std::uint64_t seed, workbook::report& report) {
  report.heading("A function that calls a function");
  auto& known = report.table("Distances that one knows", {"radius", "angle", "radius", "angle", "distance"});
  const float right_angle = polar_distance(3.0f, 0.0f, 4.0f, pi / 2), opposite = polar_distance(1.0f, 0.0f, 1.0f, pi);
  const float nowhere = polar_distance(0.0f, 1.0f, 0.0f, 2.0f);
  known.row(3, 0, 4, pi / 2, right_angle).row(1, 0, 1, pi, opposite).row(0, 1, 0, 2, nowhere);
  report.check_near("a right angle between 3 and 4", right_angle, 5, 1e-6);
  report.check_near("from one side of the circle to the other", opposite, 2, 1e-6);
  report.check_equal("a radius of 0 has no direction", nowhere, 0);

  const auto radius = random_numbers(size, seed, 0, 1), angle = random_numbers(size, seed + 1, -pi, pi);
  const auto other_radius = random_numbers(size, seed + 2, 0, 1), other_angle = random_numbers(size, seed + 3, -pi, pi);
  // Another way to the same number: the law of cosines, in float64.
  const auto largest_error = [&](const std::vector<float>& distance) {
    double error = distance.size() == size ? 0 : std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < distance.size(); ++i) {
      const double r = radius[i], s = other_radius[i], between = double{angle[i]} - double{other_angle[i]};
      const double expected = std::sqrt(std::max(0.0, r * r + s * s - 2 * r * s * std::cos(between)));
      error = std::max(error, std::abs(distance[i] - expected));
    }
    return error;
  };
  report.check_at_most("largest error of the distances, against the law of cosines in float64",
                       largest_error(polar_distance(radius, angle, other_radius, other_angle)), 2e-6);
  report.check_at_most("largest error with gs::sin_cos",
                       largest_error(polar_distance_in_vectors(radius, angle, other_radius, other_angle)), 2e-6);

  std::vector<float> out(size);
  const gs::timeit_options quick{.runs = 5, .min_run_seconds = 0.02, .max_seconds = 0.5};
  const auto time_of = [&](const auto& ufunc, gs::target target) {
    const gs::timing time =
        gs::timeit([&] { ufunc.on(target)(radius, angle, other_radius, other_angle, gs::out(out)); }, quick);
    return time.best();
  };
  auto& times = report.table("Time of a call", {"where", "std::cos and std::sin", "gs::sin_cos", "ratio"});
  for (const gs::target target : {gs::target::cpu, gs::target::parallel, gs::target::device}) {
    const double apart = time_of(polar_distance, target), together = time_of(polar_distance_in_vectors, target);
    times.row(gs::to_string(target), workbook::seconds(apart), workbook::seconds(together), apart / together);
  }
}

// Three tests of a function that should clamp to 0 ... 1, and how many errors each of them finds.
struct test_result {
  std::size_t outside, moved, all;
};
template <class F>
test_result tested(const F& f, const std::vector<float>& x) {
  const std::vector<float> y = f(x, 0.0f, 1.0f);
  test_result r{0, 0, y.size()};
  for (std::size_t i = 0; i < y.size(); ++i) {
    r.outside += !(y[i] >= 0 && y[i] <= 1);
    r.moved += x[i] >= 0 && x[i] <= 1 && y[i] != x[i];
  }
  return r;
}

void two_clamps(std::size_t size, std::uint64_t seed, workbook::report& report) {
  report.heading("Two clamps");
  auto& table = report.table("Clamped to 0 ... 1", {"x", "as printed", "mended"});
  for (const float x : {-2.0f, 0.0f, 0.25f, 0.75f, 1.0f, 7.0f}) table.row(x, clamp_as_printed(x, 0, 1), clamp(x, 0, 1));

  const auto x = random_numbers(size, seed + 4, -1, 2);
  const auto inside = static_cast<std::size_t>(std::ranges::count_if(x, [](float v) { return v > 0 && v <= 1; }));
  const test_result printed = tested(clamped_as_printed, x), mended = tested(clamped, x);
  auto& tests = report.table(std::to_string(size) + " random numbers of -1 ... 2",
                             {"what is tested", "as printed: wrong", "mended: wrong"});
  tests.row("the result lies in 0 ... 1", printed.outside, mended.outside);
  tests.row("a number that lies there already stays", printed.moved, mended.moved);
  report.check_equal("results of either clamp outside 0 ... 1", printed.outside + mended.outside, 0);
  report.check_equal("numbers that the printed clamp moves: all above 0 that should stay", printed.moved,
                     inside - static_cast<std::size_t>(std::ranges::count(x, 1.0f)));
  report.check_equal("numbers that the mended clamp moves", mended.moved, 0);

  std::vector<float> line(301);
  for (std::size_t i = 0; i < line.size(); ++i) line[i] = -1 + 0.01f * static_cast<float>(i);
  report.plot(workbook::xy_plot{.title = "Two clamps",
                                .x = {.label = "x"},
                                .y = {.label = "clamped to 0 ... 1"},
                                .series = {{.name = "mended", .x = line, .y = clamped(line, 0.0f, 1.0f)},
                                           {.name = "as printed",
                                            .x = line,
                                            .y = clamped_as_printed(line, 0.0f, 1.0f),
                                            .style = workbook::drawn_as::points}}});
}

void not_a_number(workbook::report& report) {
  report.heading("And NaN?");
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  auto& table = report.table("NaN, clamped to 0 ... 1", {"written as", "gives"});
  const float by_comparisons = clamp(nan, 0, 1), by_minimum = std::fmin(std::fmax(nan, 0.0f), 1.0f);
  table.row("two comparisons", by_comparisons).row("fmin(fmax(x, low), high)", by_minimum);
  report.check("no comparison with NaN is true, so it stays", std::isnan(by_comparisons));
  report.check_equal("fmax prefers the number", by_minimum, 0);
}

void run(const workbook::parameters& given, workbook::report& report) {
  distances(given.size(), given.seed(), report);
  two_clamps(given.size(), given.seed(), report);
  not_a_number(report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 7,
          .name = "device_functions",
          .title = "Functions that call functions",
          .summary = "Device functions that return a pair and call each other, and a bug that a weak test lets pass.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "pairs of points, and numbers to clamp",
                                           .min = 1,
                                           .max = 100'000'000,
                                           .default_value = 1'000'000,
                                           .inspected = 100'000}},
          .run = run};
}
