// What exercise 21 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

struct extents {
  std::size_t rows, columns;
  std::size_t size() const { return rows * columns; }
  std::string text() const { return std::to_string(rows) + " x " + std::to_string(columns); }
};
constexpr extents shapes[] = {{8, 32},  {5, 7}, {1, 31},  {33, 1},  {9, 33}, {61, 40},
                              {40, 61}, {1, 1}, {3, 131}, {131, 3}, {0, 7},  {7, 0}};

std::vector<float> random_numbers(std::size_t n) {
  static std::mt19937_64 random(workbook::seed_of_checks());
  std::normal_distribution<float> normal;
  std::vector<float> x(n);
  for (float& v : x) v = normal(random);
  return x;
}

gs::device_array<float> on_device(const extents& e, const std::vector<float>& values) {
  gs::device_array<float> a({e.rows, e.columns});
  a.copy_from_host(values);
  return a;
}

// Looks at all elements, but reports only the first that is wrong.
void compare(const std::string& name, const extents& e, const std::vector<float>& got,
             const std::vector<float>& expected, workbook::report& report) {
  if (!report.check_equal("elements of " + name + ", " + e.text(), got.size(), e.size())) return;
  for (std::size_t i = 0; i < got.size(); ++i)
    if (got[i] != expected[i]) {  // one addition, rounded once: equal to the last bit
      const std::string where = "(" + std::to_string(i / e.columns) + ", " + std::to_string(i % e.columns) + ")";
      report.check_equal("element " + where + " of " + name + ", " + e.text(), got[i], expected[i]);
      return;
    }
  report.check(name + ", " + e.text(), true);
}

void one_increment(const extents& e, const gs::launch_options& shape, workbook::report& report) {
  const std::vector<float> before = random_numbers(e.size());
  std::vector<float> got, expected = before;
  for (float& v : expected) v += 1;
  report.inspection(gs::inspect([&] {
    const auto a = on_device(e, before);
    gs::launch<increment>(shape, a);
    got = a.copy_to_host();
  }));
  compare("increment", e, got, expected, report);
}

// A row of 64 floats is 8 whole sectors. Threads that follow each other in x move nothing else if they go along a row.
void along_rows(workbook::report& report) {
  const extents e{32, 64};
  const gs::launch_options exact{.grid = {4, 4}, .block = {16, 8}}, small{.grid = {2, 2}, .block = {16, 8}};
  const auto a = on_device(e, random_numbers(e.size())), b = on_device(e, random_numbers(e.size()));
  check_at_most(report, "increment: sectors moved and not asked for",
                workbook::wasted_sectors(gs::inspect([&] { gs::launch<increment>(exact, a); })), 0);
  const gs::inspection sum = gs::inspect([&] { gs::launch<add>(small, a, a, b); });
  check_at_most(report, "add: sectors moved and not asked for", workbook::wasted_sectors(sum), 0);
  report.check("add: threads of a warp work together", workbook::lanes_together(sum) >= 16);
}

void one_sum(const extents& e, const gs::launch_options& shape, workbook::report& report) {
  const std::vector<float> x = random_numbers(e.size()), y = random_numbers(e.size());
  std::vector<float> got, expected(e.size());
  for (std::size_t i = 0; i < x.size(); ++i) expected[i] = x[i] + y[i];
  report.inspection(gs::inspect([&] {
    const auto out = on_device(e, std::vector<float>(e.size(), std::numeric_limits<float>::quiet_NaN()));
    gs::launch<add>(shape, on_device(e, x), on_device(e, y), out);
    got = out.copy_to_host();
  }));
  compare("add", e, got, expected, report);
}

void launch_shapes(workbook::report& report) {
  const auto check = [&](const extents& e, int along_x, int along_y) {
    const gs::launch_options shape = shape_for(e.rows, e.columns);
    report.check_equal("threads of a block along x, " + e.text(), shape.block.x, 32);
    report.check_equal("threads of a block along y, " + e.text(), shape.block.y, 8);
    report.check_equal("blocks along x, " + e.text(), shape.grid.x, along_x);
    report.check_equal("blocks along y, " + e.text(), shape.grid.y, along_y);
    report.check_equal("blocks and threads along z, " + e.text(), shape.grid.z * shape.block.z, 1);
  };
  check({80, 320}, 10, 10);
  check({320, 80}, 3, 40);
  check({81, 321}, 11, 11);
  check({7, 31}, 1, 1);
  check({8, 32}, 1, 1);
  check({1, 33}, 2, 1);
  check({33, 1}, 1, 5);
  check({16'777'217, 1}, 1, 2'097'153);  // more than a float can count
  check({0, 5}, 1, 1);
  check({5, 0}, 1, 1);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 21,
          .name = "grids_2d",
          .task = "increment a matrix, add two with any grid, and cover any shape with blocks",
          .check = [](workbook::report& report) {
            const auto blocks = [](std::size_t extent, std::size_t threads) {
              return std::max<std::size_t>(1, (extent + threads - 1) / threads);
            };
            for (const extents& e : shapes) one_increment(e, {.grid = {9, 17}, .block = {16, 8}}, report);
            for (const extents& e : shapes)  // no more blocks than it takes
              one_increment(e, {.grid = {blocks(e.columns, 16), blocks(e.rows, 8)}, .block = {16, 8}}, report);
            for (const extents& e : shapes) {
              one_sum(e, {.grid = {2, 3}, .block = {8, 4}}, report);
              one_sum(e, {.grid = {9, 17}, .block = {16, 8}}, report);
              one_sum(e, {.grid = {1, 1}, .block = {1, 1}}, report);
              one_sum(e, {.grid = {3, 1}, .block = {5, 3}}, report);
            }
            if (gs::can_inspect()) along_rows(report);
            launch_shapes(report);
          }};
}
