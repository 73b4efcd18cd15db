// What exercise 19 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

const float poison = std::numeric_limits<float>::quiet_NaN();

// Numbers below zero, so that a search for the maximum that begins at 0 fails.
std::vector<float> random_numbers(std::size_t n, float scale = 1) {
  static std::mt19937_64 random(workbook::seed_of_checks());
  std::uniform_real_distribution<float> between(-2, -1);
  std::vector<float> x(n);
  for (float& v : x) v = scale * between(random);
  return x;
}

void compare(const std::string& name, const std::vector<float>& got, const std::vector<double>& expected,
             workbook::report& report) {
  if (!report.check_equal("elements of " + name, got.size(), expected.size())) return;
  for (std::size_t i = 0; i < got.size(); ++i)
    if (static_cast<double>(got[i]) != expected[i] &&
        !(std::abs(static_cast<double>(got[i]) - expected[i]) <= 1e-6 * std::abs(expected[i]))) {
      report.check_near("element " + std::to_string(i) + " of " + name, static_cast<double>(got[i]), expected[i], 1e-6);
      return;
    }
  report.check(name, true);
}

void one_smooth(std::size_t n, workbook::report& report) {
  const std::vector<float> x = random_numbers(n + 2);
  std::vector<float> got;
  report.inspection(gs::inspect([&] {
    const auto out = gs::to_device(std::vector<float>(n, poison));
    gs::launch<smooth>({.grid = n / 64 + 1, .block = 64}, gs::to_device(x), out);
    got = out.copy_to_host();
  }));
  std::vector<double> expected(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double left = static_cast<double>(x[i]), middle = static_cast<double>(x[i + 1]);
    expected[i] = (left + middle + static_cast<double>(x[i + 2])) / 3;
  }
  compare("smooth, n = " + std::to_string(n), got, expected, report);
}

void one_turn(std::size_t blocks, workbook::report& report) {
  const std::size_t n = 64 * blocks;
  const std::vector<float> x = random_numbers(n);
  std::vector<float> got;
  report.inspection(gs::inspect([&] {
    const auto turned = gs::to_device(x);
    gs::launch<turn_round>({.grid = blocks, .block = 64}, turned);
    got = turned.copy_to_host();
  }));
  std::vector<double> expected(n);
  for (std::size_t i = 0; i < n; ++i) expected[i] = static_cast<double>(x[i / 64 * 64 + 63 - i % 64]);
  compare("turn_round, n = " + std::to_string(n), got, expected, report);
}

void one_largest(std::size_t rows, std::size_t columns, const std::vector<float>& x, workbook::report& report,
                 const std::string& of = "") {
  std::vector<float> got;
  report.inspection(gs::inspect([&] {
    gs::device_array<float> a({rows, columns});
    a.copy_from_host(x);
    const gs::device_array<float> largest(rows);
    gs::launch<largest_of_rows>({.grid = rows / 64 + 1, .block = 64}, a, largest);
    got = largest.copy_to_host();
  }));
  std::vector<double> expected(rows, -std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < x.size(); ++i) {
    double& most = expected[i / columns];
    most = std::max(most, static_cast<double>(x[i]));
  }
  compare("largest_of_rows, " + std::to_string(rows) + " x " + std::to_string(columns) + of, got, expected, report);
}

void largest_ones(workbook::report& report) {
  constexpr std::size_t shapes[][2] = {{3, 5}, {1, 1}, {33, 1}, {1, 33}, {67, 31}};
  for (const auto& [rows, columns] : shapes) one_largest(rows, columns, random_numbers(rows * columns), report);
  one_largest(5, 7, random_numbers(35, 1e9f), report, ", all below -1e9");
  one_largest(5, 7, random_numbers(35, 1e38f), report, ", all below -1e38");
  constexpr float infinity = std::numeric_limits<float>::infinity();
  one_largest(1, 3, {-infinity, -infinity, -infinity}, report, ", all -infinity");
  one_largest(2, 3, {3, 1, 2, 4, 5, 9}, report, ", the first and the last the largest");
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 19,
          .name = "debugging",
          .task = "three kernels with a bug each: find them with the instruments, and mend them",
          .check = [](workbook::report& report) {
            for (const std::size_t n : {5, 0, 1, 31, 32, 33, 64, 1009}) one_smooth(n, report);
            for (const std::size_t blocks : {1, 2, 31}) one_turn(blocks, report);
            largest_ones(report);
          }};
}
