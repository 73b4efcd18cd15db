// Lesson 11: generalised ufuncs. A function of rows or matrices works on arrays of rows or matrices, of any shape.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>
#include <xtensor/xtensor.hpp>

#include "runtime/array/xtensor.h"
#include "runtime/gs.h"
#include "workbook/lesson.h"

// What happens to one row, or to one pair of matrices. Outputs are the last parameters; nothing is returned.
GS_FN void length_of(gs::view<const float> x, float& norm) {
  float sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * x[i];
  norm = std::sqrt(sum);
}
GS_FN void sum_of_row(gs::view<const float> x, float& sum) {
  sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i];
}
GS_FN void product_of(gs::view<const float, 2> a, gs::view<const float, 2> b, gs::view<float, 2> c) {
  for (std::size_t i = 0; i < c.extent(0); ++i)
    for (std::size_t k = 0; k < c.extent(1); ++k) {
      c(i, k) = 0;
      for (std::size_t j = 0; j < b.extent(0); ++j) c(i, k) += a(i, j) * b(j, k);
    }
}
GS_FN float sum_of_two(float a, float b) { return a + b; }

// The layout says how many dimensions of each operand one call gets, and which extents are the same.
inline constexpr auto l2_norm = gs::guvectorize<length_of, "(i)->()">;
inline constexpr auto row_sum = gs::guvectorize<sum_of_row, "(i)->()">;
inline constexpr auto matmul = gs::guvectorize<product_of, "(m,n),(n,p)->(m,p)">;
inline constexpr auto add = gs::vectorize<sum_of_two>;

using matrix = xt::xtensor<float, 2>;
using matrices = xt::xtensor<float, 3>;

template <class A>
std::string shape_of(const A& a) {
  return gs::to_string(gs::shape(a.shape()));
}

// n points on the unit circle, one in each row.
matrix unit_circle(std::size_t n) {
  matrix points = matrix::from_shape({n, std::size_t{2}});
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = 2 * M_PI * static_cast<double>(i) / static_cast<double>(n);
    points(i, 0) = static_cast<float>(std::cos(angle));
    points(i, 1) = static_cast<float>(std::sin(angle));
  }
  return points;
}

void lengths(const matrix& points, workbook::report& report) {
  report.heading("Points of the unit circle");
  const xt::xtensor<float, 1> norms = l2_norm(points);
  double furthest = 0, largest_error = 0;
  for (std::size_t i = 0; i < norms.size(); ++i) {
    const double x = static_cast<double>(points(i, 0)), y = static_cast<double>(points(i, 1));
    furthest = std::max(furthest, std::abs(static_cast<double>(norms(i)) - 1));
    largest_error = std::max(largest_error, std::abs(static_cast<double>(norms(i)) - std::sqrt(x * x + y * y)));
  }
  auto& table = report.table("", {"call", "shape in", "one call gets", "calls", "shape out"});
  table.row("l2_norm(points)", shape_of(points), "(2,)", norms.size(), shape_of(norms));
  report.check_at_most("furthest that a length is from 1", furthest, 2e-7);
  report.check_at_most("furthest that a length is from the one in float64", largest_error, 2e-7);
}

void sums_of_rows(std::size_t rows, std::uint64_t seed, workbook::report& report) {
  report.heading("Sums of rows");
  matrices block = matrices::from_shape({std::size_t{3}, rows, std::size_t{7}});
  gs::fill_uniform(block, seed);
  const matrix by_gufunc = row_sum(block), by_reduce = add.reduce(block, gs::axis(2));
  double largest_error = 0;
  for (std::size_t b = 0; b < 3; ++b)
    for (std::size_t r = 0; r < rows; ++r) {
      double sum = 0;
      for (std::size_t c = 0; c < 7; ++c) sum += static_cast<double>(block(b, r, c));
      for (const float got : {by_gufunc(b, r), by_reduce(b, r)})
        largest_error = std::max(largest_error, std::abs(static_cast<double>(got) - sum));
    }
  auto& table = report.table("", {"call", "shape in", "shape out"});
  table.row("row_sum(block)", shape_of(block), shape_of(by_gufunc));
  table.row("add.reduce(block, gs::axis(2))", shape_of(block), shape_of(by_reduce));
  report.check_at_most("furthest that a sum of 7 numbers is from the one in float64", largest_error, 3e-6);
}

void turn(std::size_t turns, workbook::report& report) {
  report.heading("Many matrices, one call");
  // An L of six corners and back to its start, one in each row; and rotations, one in each plane.
  const matrix corners{{1, 0}, {3, 0}, {3, 0.5f}, {1.5f, 0.5f}, {1.5f, 1}, {1, 1}, {1, 0}};
  matrices rotations = matrices::from_shape({turns, std::size_t{2}, std::size_t{2}});
  for (std::size_t k = 0; k < turns; ++k) {
    const double angle = 2 * M_PI * static_cast<double>(k) / static_cast<double>(turns);
    const auto c = static_cast<float>(std::cos(angle)), s = static_cast<float>(std::sin(angle));
    rotations(k, 0, 0) = c, rotations(k, 0, 1) = s;
    rotations(k, 1, 0) = -s, rotations(k, 1, 1) = c;
  }

  const matrices turned = matmul(corners, rotations);
  const matrix lengths = l2_norm(turned);
  auto& table = report.table("", {"call", "shapes in", "one call gets", "calls", "shape out"});
  table.row("matmul(corners, rotations)", shape_of(corners) + " and " + shape_of(rotations), "(7, 2) and (2, 2)", turns,
            shape_of(turned));
  table.row("l2_norm(turned)", shape_of(turned), "(2,)", lengths.size(), shape_of(lengths));

  double largest_error = 0, longer = 0;
  // Twice as wide as high, as the picture is: one unit is as long in both directions.
  workbook::xy_plot picture{.title = "One L, turned",
                            .x = {.label = "x", .min = -6.6, .max = 6.6},
                            .y = {.label = "y", .min = -3.1, .max = 3.1}};
  for (std::size_t k = 0; k < turns; ++k) {
    std::vector<float> x, y;
    for (std::size_t i = 0; i < corners.shape(0); ++i) {
      for (std::size_t p = 0; p < 2; ++p) {
        double expected = 0;
        for (std::size_t j = 0; j < 2; ++j)
          expected += static_cast<double>(corners(i, j)) * static_cast<double>(rotations(k, j, p));
        largest_error = std::max(largest_error, std::abs(static_cast<double>(turned(k, i, p)) - expected));
      }
      const double before = std::hypot(static_cast<double>(corners(i, 0)), static_cast<double>(corners(i, 1)));
      longer = std::max(longer, std::abs(static_cast<double>(lengths(k, i)) - before));
      x.push_back(turned(k, i, 0));
      y.push_back(turned(k, i, 1));
    }
    if (turns <= 12) picture.series.push_back({.name = std::to_string(k), .x = x, .y = y});
  }
  report.check_at_most("furthest that a coordinate is from the one in float64", largest_error, 1e-6);
  report.check_at_most("furthest that turning has moved a corner from its distance to the middle", longer, 2e-6);
  if (turns <= 12) report.plot(picture);
}

void what_does_not_fit(workbook::report& report) {
  report.heading("What doesn't fit");
  std::size_t refused = 0;
  const auto attempt = [&](const std::string& call, const auto& statement) {
    try {
      statement();
    } catch (const gs::error& e) {
      report.paragraph(call + " is refused: " + e.what() + ".");
      ++refused;
    }
  };
  const matrix a = xt::zeros<float>({3, 4}), b = xt::zeros<float>({5, 6});
  attempt("matmul of (3, 4) and (5, 6)", [&] { matmul(a, b); });
  const matrices two = xt::zeros<float>({2, 3, 4}), three = xt::zeros<float>({3, 4, 5});
  attempt("matmul of (2, 3, 4) and (3, 4, 5)", [&] { matmul(two, three); });
  xt::xtensor<float, 1> norms = xt::zeros<float>({4});
  attempt("l2_norm of (3, 4) into (4,)", [&] { l2_norm(a, gs::out(norms)); });
  report.check_equal("calls refused", refused, 3);
}

void run(const workbook::parameters& given, workbook::report& report) {
  lengths(unit_circle(given.size()), report);
  sums_of_rows(given.size(), given.seed(), report);
  turn(given.size("turns"), report);
  what_does_not_fit(report);
}

workbook::lesson workbook::this_lesson() {
  return {
      .number = 11,
      .name = "gufunc",
      .title = "Functions of rows and matrices",
      .summary = "A generalised ufunc calls a function for each row or matrix; the dimensions in front are broadcast.",
      .parameters =
          {workbook::integer{
               .name = "size", .text = "points, and rows", .min = 1, .max = 1'000'000, .default_value = 1'000},
           workbook::integer{.name = "turns", .text = "rotations", .min = 1, .max = 1'000, .default_value = 5}},
      .run = run};
}
