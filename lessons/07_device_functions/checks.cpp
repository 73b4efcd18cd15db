// What exercise 07 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr float pi = std::numbers::pi_v<float>;
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::string text(float x) { return workbook::to_text(workbook::cell(x)); }

// Named as the statement that the learner can type.
void near(workbook::report& report, const std::string& statement, double got, double expected) {
  if (std::abs(got - expected) <= 2e-6 * std::max(1.0, std::abs(expected)))
    report.check(statement, true);
  else
    report.check_equal(statement, got, expected);
}

void whole(workbook::report& report) {
  near(report, "distance_within(3, 0, 4, pi / 2, 10)", distance_within(3, 0, 4, pi / 2, 10), 5);
  near(report, "distance_within(30, 0, 40, pi / 2, 10)", distance_within(30, 0, 40, pi / 2, 10), std::sqrt(200.0));
  near(report, "distance_within(-3, 0, 4, 1, 10)", distance_within(-3, 0, 4, 1, 10), 4);
}

void parts(workbook::report& report) {
  const point east = polar_to_cartesian(2, 0), north = polar_to_cartesian(2, pi / 2);
  near(report, "polar_to_cartesian(2, 0).x", east.x, 2);
  near(report, "polar_to_cartesian(2, 0).y", east.y, 0);
  near(report, "polar_to_cartesian(2, pi / 2).x", north.x, 0);
  near(report, "polar_to_cartesian(2, pi / 2).y", north.y, 2);
  const float cases[][4] = {{-1, 0, 10, 0},   {3, 0, 10, 3},    {11, 0, 10, 10}, {0, 0, 10, 0}, {10, 0, 10, 10},
                            {-3, -5, -2, -3}, {-1, -5, -2, -2}, {4, 2, 2, 2},    {1, 2, 2, 2}};
  for (const auto& [x, low, high, expected] : cases)
    near(report, "clamp(" + text(x) + ", " + text(low) + ", " + text(high) + ")", clamp(x, low, high), expected);
  report.check("clamp(NaN, 0, 10) is NaN", std::isnan(clamp(nan, 0, 10)));
}

std::vector<float> random_numbers(std::size_t size, unsigned seed, float low, float high) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> within(low, high);
  std::vector<float> x(size);
  for (float& one : x) one = within(random);
  return x;
}

void many(std::size_t size, workbook::report& report) {
  const auto r = random_numbers(size, 1, -2, 12), a = random_numbers(size, 2, -pi, pi);
  const auto s = random_numbers(size, 3, -2, 12), b = random_numbers(size, 4, -pi, pi);
  std::vector<float> got(size, nan);
  disc_distance(r, a, s, b, 10.0f, gs::out(got));
  const std::string name = std::to_string(size) + " random pairs in a disc of radius 10";
  for (std::size_t i = 0; i < size; ++i) {
    const double p = std::clamp<double>(r[i], 0, 10), q = std::clamp<double>(s[i], 0, 10);
    const double expected = std::sqrt(std::max(0.0, p * p + q * q - 2 * p * q * std::cos(double{a[i]} - double{b[i]})));
    if (std::abs(got[i] - expected) <= 2e-5) continue;
    report.check_equal("pair " + std::to_string(i) + " of " + name, got[i], expected);
    return;
  }
  report.check(name, true);
}

void way_back(workbook::report& report) {
  const float cases[][4] = {{3, 4, 5, 0.92729522f},
                            {-1, 1, std::sqrt(2.0f), 0.75f * pi},
                            {-1, -1, std::sqrt(2.0f), -0.75f * pi},
                            {0, -2, 2, -pi / 2},
                            {0, 0, 0, 0},
                            {3e30f, 4e30f, 5e30f, 0.92729522f}};
  for (const auto& [x, y, radius, angle] : cases) {
    const polar p = cartesian_to_polar({x, y});
    const std::string of = " of the point (" + text(x) + ", " + text(y) + ")";
    near(report, "angle" + of, p.angle, angle);
    near(report, "radius" + of, p.radius, radius);
  }
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 7,
          .name = "device_functions",
          .task = "three functions, one of them wrong, and the way back to polar coordinates",
          .check = [](workbook::report& report) {
            whole(report);
            parts(report);
            for (const std::size_t size : {0, 1, 31, 32, 33, 1'009, 100'003}) many(size, report);
            way_back(report);
          }};
}
