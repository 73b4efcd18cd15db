// What exercise 37 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr std::size_t sizes[] = {1, 2, 3, 0, 31, 32, 33, 1009, 5000};
constexpr gs::extent3 blocks = 5, threads = 64;
const std::vector<float> weights = {0.25f, -1.5f, 2};

std::vector<float> random_numbers(std::size_t n) {
  static std::mt19937_64 random(workbook::seed_of_checks());
  std::normal_distribution<float> normal(0.5f, 1);
  std::vector<float> x(n);
  for (float& element : x) element = normal(random);
  return x;
}

bool quotient(workbook::report& report) {
  const auto ask = [&](const char* name, sloped a, sloped b, double slope) {
    const sloped found = a / b;
    return report.check_near(std::string("value of ") + name, found.value, a.value / b.value, 1e-15) &&
           report.check_near(std::string("slope of ") + name, found.slope, slope, 1e-15);
  };
  return ask("x / 2 at 3", {3, 1}, {2, 0}, 0.5) && ask("2 / x at 4", {2, 0}, {4, 1}, -0.125) &&
         ask("x / x at 7", {7, 1}, {7, 1}, 0) && ask("(3x) / (x * x) at 2", {6, 3}, {4, 4}, -0.75) &&
         ask("x / (1 - x) at 3", {3, 1}, {-2, -1}, 0.25);
}

// Whether each number is the expected one, up to the rounding of a sum of `terms` floats.
bool near_all(const std::string& name, const std::vector<float>& found, const std::vector<double>& expected,
              const std::vector<double>& magnitudes, double terms, workbook::report& report) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double error = std::fabs(static_cast<double>(found[i]) - expected[i]);
    if (error > terms * 1.2e-7 * magnitudes[i] || std::isnan(error))
      return report.check_near(name + ", element " + std::to_string(i), static_cast<double>(found[i]), expected[i],
                               1e-6);
  }
  return report.check(name, true);
}

// What each y[i] gives back, one after the other.
struct gradients {
  std::vector<double> by_x, magnitudes_by_x;
  std::vector<double> by_w = std::vector<double>(3), magnitudes_by_w = std::vector<double>(3);
  gradients(const std::vector<float>& x, const std::vector<float>& by_y) : by_x(x.size()), magnitudes_by_x(x.size()) {
    const std::size_t n = x.size();
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t read[] = {i > 0 ? i - 1 : 0, i, i + 1 < n ? i + 1 : i};
      for (std::size_t k = 0; k < 3; ++k) {
        const double g = static_cast<double>(by_y[i]), to_x = static_cast<double>(weights[k]) * g,
                     to_w = static_cast<double>(x[read[k]]) * g;
        by_x[read[k]] += to_x, magnitudes_by_x[read[k]] += std::fabs(to_x);
        by_w[k] += to_w, magnitudes_by_w[k] += std::fabs(to_w);
      }
    }
  }
};

bool adjoint_to_x(std::size_t n, workbook::report& report) {
  const std::vector<float> x = random_numbers(n), by_y = random_numbers(n);
  const auto w = gs::to_device(weights), gradient = gs::to_device(by_y);
  const auto by_x = gs::to_device(std::vector<float>(n));
  const gs::inspection seen =
      gs::inspect([&] { gs::launch<adjoint_of_x>({.grid = blocks, .block = threads}, w, gradient, by_x); });
  if (!is_clean(seen, report)) return false;
  const gradients expected(x, by_y);
  if (!near_all("adjoint of x, n = " + std::to_string(n), by_x.copy_to_host(), expected.by_x, expected.magnitudes_by_x,
                10, report))
    return false;
  if (n < 1000 || !gs::can_inspect()) return true;
  return report.check("adjoint of x: threads of a warp work together", workbook::lanes_together(seen) >= 16);
}

bool adjoint_to_w(std::size_t n, workbook::report& report) {
  const std::vector<float> x = random_numbers(n), by_y = random_numbers(n);
  const auto numbers = gs::to_device(x), gradient = gs::to_device(by_y);
  const auto by_w = gs::to_device(std::vector<float>(3));
  const gs::inspection seen =
      gs::inspect([&] { gs::launch<adjoint_of_w>({.grid = blocks, .block = threads}, numbers, gradient, by_w); });
  if (!is_clean(seen, report)) return false;
  const gradients expected(x, by_y);
  if (!near_all("adjoint of w, n = " + std::to_string(n), by_w.copy_to_host(), expected.by_w, expected.magnitudes_by_w,
                static_cast<double>(n) + 20, report))
    return false;
  if (n < 1000 || !gs::can_inspect()) return true;
  workbook::counted_by_line changes;
  for (const gs::line_counters& line : seen.lines)
    if (line.array == "by_w" && line.kind != gs::access_kind::read) changes.add(line.where, line.accesses);
  return report.check("adjoint of w: threads of a warp work together", workbook::lanes_together(seen) >= 16) &&
         workbook::check_at_most(report, "changes of by_w by " + std::to_string(blocks.x * threads.x) + " threads",
                                 changes, 3 * blocks.x * threads.x);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 37,
          .name = "autograd",
          .task = "the rule of a quotient, and two adjoints that race",
          .check = [](workbook::report& report) {
            if (!quotient(report)) return;
            for (const std::size_t n : sizes)
              if (!adjoint_to_x(n, report)) return;
            for (const std::size_t n : sizes)
              if (!adjoint_to_w(n, report)) return;
          }};
}
