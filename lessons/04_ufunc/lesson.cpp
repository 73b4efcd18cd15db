// Lesson 04: a universal function. Written for single numbers, it works on arrays of any shape.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <xtensor/xbuilder.hpp>

#include "runtime/array/xtensor.h"
#include "runtime/gs.h"
#include "workbook/lesson.h"
#include "workbook/number_text.h"

// What happens to single numbers: ordinary functions. GS_FN says that they may also run on a device.
GS_FN float add_float(float a, float b) { return a + b; }
GS_FN std::int64_t add_integer(std::int64_t a, std::int64_t b) { return a + b; }
GS_FN float plus_ten(float x) { return x + 10; }
GS_FN float length_of(float x, float y) { return std::sqrt(x * x + y * y); }

// What happens to arrays. The types come from the functions; if there are two, the arguments' types choose.
inline constexpr auto add = gs::vectorize<add_float, add_integer>;
inline constexpr auto add_ten = gs::vectorize<plus_ten>;
inline constexpr auto length = gs::vectorize<length_of>;

using array = xt::xarray<float>;

// 0, 1, 2, ... row by row, in the given shape.
array counting(const gs::shape& shape) {
  array a = array::from_shape(array::shape_type(shape.begin(), shape.end()));
  for (std::size_t i = 0; i < a.size(); ++i) a.flat(i) = static_cast<float>(i);
  return a;
}

std::string shape_text(const array& a) { return gs::to_string(gs::shape(a.shape())); }

void numbers_and_shapes(const gs::shape& matrix_shape, std::size_t depth, workbook::report& report) {
  report.heading("One function, any shape");
  report.check_equal("plus_ten(5), an ordinary call", plus_ten(5), 15.0F);
  report.check_equal("add_ten(5), the ufunc with a number", add_ten(5.0F), 15.0F);

  const std::size_t rows = matrix_shape[0], columns = matrix_shape[1];
  const array matrix = counting(matrix_shape), row = counting(columns);
  const array column = counting({rows, std::size_t{1}});
  const array block = counting({depth, rows, columns}), planes = counting({depth, std::size_t{1}, std::size_t{1}});

  auto& table = report.table("add(a, b)", {"a", "b", "shape of a", "shape of b", "shape of the result"});
  bool all_agree = true;
  const auto show = [&](const char* a_name, const array& a, const char* b_name, const array& b) {
    const array sum = add(a, b);
    table.row(a_name, b_name, shape_text(a), shape_text(b), shape_text(sum));
    const xt::xarray<double> expected = xt::cast<double>(a) + xt::cast<double>(b);  // xtensor broadcasts by itself
    all_agree &= sum.shape() == expected.shape() && xt::cast<double>(sum) == expected;
  };
  show("matrix", matrix, "matrix", matrix);
  show("matrix", matrix, "one number", array(10.0F));
  show("matrix", matrix, "row", row);
  show("matrix", matrix, "column", column);
  show("row", row, "column", column);
  show("block", block, "matrix", matrix);
  show("block", block, "one per plane", planes);
  show("planes", planes, "row", row);
  report.check("each sum is what float64 arithmetic of another library gives", all_agree);
}

// An operand of a sum of the given shape, as the loop over the sum sees it: an element that is stored once is read
// again along a dimension of extent 1.
void draw_operand(workbook::diagram& picture, const array& a, std::size_t rows, std::size_t columns, double left) {
  const bool has_rows = a.dimension() > 1 && a.shape(0) > 1, has_columns = a.shape(a.dimension() - 1) > 1;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < columns; ++k) {
      const std::size_t row = has_rows ? i : 0, column = has_columns ? k : 0;
      const float value = a.flat(row * a.shape(a.dimension() - 1) + column);
      picture.add({.x = left + static_cast<double>(k),
                   .y = static_cast<double>(i),
                   .text = workbook::significant(static_cast<double>(value), 6),
                   .group = row == i && column == k ? 0 : 1});
    }
}

void picture_of_broadcasting(const gs::shape& matrix_shape, workbook::report& report) {
  constexpr std::size_t most = 6;  // more would be unreadable
  const std::size_t rows = std::min(matrix_shape[0], most), columns = std::min(matrix_shape[1], most);
  const array row = counting(columns), column = counting({rows, std::size_t{1}}), sum = add(row, column);
  workbook::diagram picture{
      .title = "row + column: " + shape_text(row) + " and " + shape_text(column) + " make " + shape_text(sum),
      .groups = {"a number in memory", "the same number, read again"}};
  const auto width = static_cast<double>(columns), middle = static_cast<double>(rows) / 2 - 0.5;
  draw_operand(picture, row, rows, columns, 0);
  picture.add({.x = width, .y = middle, .text = "+"});
  draw_operand(picture, column, rows, columns, width + 1);
  picture.add({.x = 2 * width + 1, .y = middle, .text = "="});
  draw_operand(picture, sum, rows, columns, 2 * width + 2);
  report.plot(std::move(picture));
}

void refusals(const gs::shape& matrix_shape, workbook::report& report) {
  report.heading("What doesn't fit");
  const array matrix = counting(matrix_shape), one_per_row = counting(matrix_shape[0]);
  bool refused = false;
  const auto attempt = [&](const char* code, const auto& statement) {
    refused = false;
    try {
      report.paragraph(std::string(code) + " is accepted; the result's shape is " + shape_text(statement()) + ".");
    } catch (const gs::error& e) {
      refused = true;
      report.paragraph(std::string(code) + " is refused: " + e.what() + ".");
    }
  };
  // The matrix has `rows` rows, so one number per row should fit. But shapes are aligned at their last dimension.
  attempt("add(matrix, one_per_row)", [&] { return add(matrix, one_per_row); });
  const std::size_t rows = matrix_shape[0], columns = matrix_shape[1];
  report.check_equal("refused exactly if neither extent is 1 and the two differ", refused,
                     rows != 1 && columns != 1 && rows != columns);

  array too_long = counting(rows * columns + 1);
  attempt("add_ten(matrix, gs::out(too_long))", [&] {
    add_ten(matrix, gs::out(too_long));
    return too_long;
  });
  report.check_equal("an output of another shape is refused", refused, true);
}

void signatures(workbook::report& report) {
  report.heading("Several signatures");
  auto& table = report.table("2^24 + 1 by each signature of add", {"signature", "result"});
  // Two functions, two results: a float has 24 bits for its digits, and 2^24 + 1 needs 25.
  table.row(add.signatures()[0], add(16'777'216.0F, 1.0F));
  table.row(add.signatures()[1], add(std::int64_t{16'777'216}, std::int64_t{1}));
  report.check_equal("int64 is exact", add(std::int64_t{16'777'216}, std::int64_t{1}), 16'777'217);
}

void a_field_from_two_lines(std::size_t size, workbook::report& report) {
  report.heading("A plane out of two lines");
  // size numbers as a row and size as a column: together they name size * size points.
  const xt::xtensor<float, 1> x = xt::linspace<float>(-1, 1, size);
  const xt::xtensor<float, 2> y = xt::reshape_view(x, {size, std::size_t{1}});
  const xt::xtensor<float, 2> distance = length(x, y);

  double largest_error = 0;
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t k = 0; k < size; ++k)
      largest_error = std::max(largest_error, std::abs(distance(i, k) - std::hypot(double{x(k)}, double{y(i, 0)})));
  report.check_at_most("largest error of length(row, column) against a loop in float64", largest_error, 2e-7);
  report.plot(workbook::heat_map{.title = "length(row, column)",
                                 .x = {.label = "x", .min = -1, .max = 1},
                                 .y = {.label = "y", .min = -1, .max = 1},
                                 .value = {.label = "distance"},
                                 .rows = size,
                                 .columns = size,
                                 .values = distance});
}

void methods(std::int64_t n, workbook::report& report) {
  report.heading("reduce, accumulate, outer");
  const xt::xtensor<std::int64_t, 1> counts = xt::arange<std::int64_t>(1, n + 1);
  auto& table = report.table("add on 1, 2, ..., n", {"call", "result"});
  table.row("add.reduce(counts)", add.reduce(counts));
  const xt::xtensor<std::int64_t, 1> running = add.accumulate(counts);
  table.row("add.accumulate(counts), last", running(running.size() - 1));
  const xt::xtensor<std::int64_t, 2> sums = add.outer(counts, counts);
  table.row("add.outer(counts, counts), shape", gs::to_string(gs::shape(sums.shape())));
  report.check_equal("the sum of 1 to n is n (n + 1) / 2", add.reduce(counts), n * (n + 1) / 2);
  report.check_equal("the last running sum is the sum", running(running.size() - 1), n * (n + 1) / 2);
}

void run(const workbook::parameters& given, workbook::report& report) {
  const gs::shape matrix{given.size("rows"), given.size("columns")};
  numbers_and_shapes(matrix, given.size("depth"), report);
  picture_of_broadcasting(matrix, report);
  refusals(matrix, report);
  signatures(report);
  a_field_from_two_lines(given.size(), report);
  methods(static_cast<std::int64_t>(given.size()), report);
}

workbook::lesson workbook::this_lesson() {
  const auto extent = [](const char* name, const char* text, long long usual) {
    return workbook::integer{.name = name, .text = text, .min = 1, .max = 100, .default_value = usual};
  };
  return {.number = 4,
          .name = "ufunc",
          .title = "Universal functions and broadcasting",
          .summary = "A function of single numbers works on arrays of any shape; shapes that differ are broadcast.",
          .parameters = {extent("rows", "rows of the matrix", 3), extent("columns", "columns of the matrix", 4),
                         extent("depth", "matrices in the block", 2),
                         workbook::integer{.name = "size",
                                           .text = "points along each side of the picture",
                                           .min = 1,
                                           .max = 5'000,
                                           .default_value = 200}},
          .run = run};
}
