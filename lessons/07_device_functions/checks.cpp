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
constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();

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
  near(report, "distance_within(3, 1, -4, 0, 10)", distance_within(3, 1, -4, 0, 10), 3);
  near(report, "distance_within(3, 2, 3, 2, 10)", distance_within(3, 2, 3, 2, 10), 0);
  near(report, "distance_within(8, 0, 8, pi, 10), more than the limit", distance_within(8, 0, 8, pi, 10), 16);
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
  near(report, "clamp(infinity, 0, 10)", clamp(infinity, 0, 10), 10);
  near(report, "clamp(-infinity, 0, 10)", clamp(-infinity, 0, 10), 0);
  report.check("distance_within(NaN, 0, 4, 1, 10) is NaN", std::isnan(distance_within(nan, 0, 4, 1, 10)));
  report.check("distance_within(3, 0, NaN, 1, 10) is NaN", std::isnan(distance_within(3, 0, nan, 1, 10)));
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

// Relative to what is expected: an angle that is nearly 0 has as many digits as any other.
bool near_enough(float got, double expected) {
  return std::abs(static_cast<double>(got) - expected) <= 4e-7 * std::abs(expected) + 1e-44;
}

// The angle of -pi is that of pi: at the negative x-axis, either is right.
void one_way_back(float x, float y, workbook::report& report) {
  const polar p = cartesian_to_polar({x, y});
  const double radius = std::hypot(static_cast<double>(x), static_cast<double>(y));
  const double angle = std::atan2(static_cast<double>(y), static_cast<double>(x));
  const std::string of = " of the point (" + text(x) + ", " + text(y) + ")";
  const bool turned = y == 0 && x < 0 && near_enough(p.angle, -angle);
  report.check_near("angle" + of, turned ? angle : static_cast<double>(p.angle), angle, 4e-7);
  report.check_near("radius" + of, static_cast<double>(p.radius), radius, 4e-7);
}

void way_back(workbook::report& report) {
  const point cases[] = {// each quadrant, each half axis, the middle
                         {3, 4},
                         {-1, 1},
                         {-1, -1},
                         {3, -4},
                         {2, 0},
                         {0, 2},
                         {-2, 0},
                         {0, -2},
                         {0, 0},
                         // steep, flat and close to the axes
                         {1, 1e-6f},
                         {1, -1e-6f},
                         {-1, 1e-6f},
                         {-1, -1e-6f},
                         {1e-6f, 1},
                         {1e-6f, -1},
                         {-1e-6f, 1},
                         {-1e-6f, -1},
                         // squares that no float holds
                         {3e30f, 4e30f},
                         {3e-30f, -4e-30f}};
  for (const point& p : cases) one_way_back(p.x, p.y, report);

  constexpr std::size_t size = 1'009;
  const auto x = random_numbers(size, 5, -3, 3), y = random_numbers(size, 6, -3, 3);
  for (std::size_t i = 0; i < size; ++i) {
    const polar p = cartesian_to_polar({x[i], y[i]});
    if (near_enough(p.angle, std::atan2(static_cast<double>(y[i]), static_cast<double>(x[i]))) &&
        near_enough(p.radius, std::hypot(static_cast<double>(x[i]), static_cast<double>(y[i]))))
      continue;
    one_way_back(x[i], y[i], report);
    return;
  }
  report.check("radius and angle of 1,009 random points", true);
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
