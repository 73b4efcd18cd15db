// Lesson 12: many numbers into one. Which grouping, which start, and what float32 loses on the way.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"
#include "workbook/number_text.h"

GS_FN float sum_of(float a, float b) { return a + b; }
GS_FN float larger_of(float a, float b) { return a > b ? a : b; }
GS_FN float product_of(float a, float b) { return a * b; }
GS_FN float difference_of(float a, float b) { return a - b; }
GS_FN float length_of(float a, float b) { return std::hypot(a, b); }

inline constexpr auto add = gs::vectorize<sum_of>;
inline constexpr auto maximum = gs::vectorize<larger_of>;
inline constexpr auto multiply = gs::vectorize<product_of>;
inline constexpr auto subtract = gs::vectorize<difference_of>;
inline constexpr auto length = gs::vectorize<length_of>;

// A sum from left to right, as in every textbook.
struct naive_sum {
  float sum = 0;
  void add(float x) { sum += x; }
};
// The same, but what rounding cuts off is saved and added to the next number (W. Kahan, "Pracniques: further
// remarks on reducing truncation errors", 1965). Only for a compiler that may not simplify (t - sum) - y to 0.
struct kahan_sum {
  float sum = 0, lost = 0;
  void add(float x) {
    const float y = x - lost, t = sum + y;
    lost = (t - sum) - y;
    sum = t;
  }
};

template <class Sum>
float sum_by(const std::vector<float>& x) {
  Sum s;
  for (const float one : x) s.add(one);
  return s.sum;
}
double sum_in_float64(const std::vector<float>& x) { return std::accumulate(x.begin(), x.end(), 0.0); }

// The largest relative error of a float32 sum of n numbers >= 0: N. J. Higham, "The accuracy of floating point
// summation", 1993. Each number goes through n - 1 additions, or log2 n, or two whatever n is.
constexpr double rounding = 0x1p-24;
double naive_bound(double n) { return rounding * n; }
double pairwise_bound(double n) { return rounding * (std::log2(n) + 1); }
double kahan_bound(double n) { return rounding * (2 + n * rounding) * 1.01; }

double relative_error(float sum, double exact) { return std::abs(static_cast<double>(sum) - exact) / exact; }

void tenths(std::size_t n, workbook::report& report) {
  report.heading("A tenth, many times");
  const std::vector<float> x(n, 0.1f);
  const double exact = sum_in_float64(x);
  auto& table = report.table("", {"sum", "result", "off by", "additions a number goes through"});
  const auto row = [&](const char* name, float sum, const char* additions) {
    table.row(name, sum, static_cast<double>(sum) - exact, additions);
  };
  row("from the left", sum_by<naive_sum>(x), "up to n");
  row("pairwise: add.reduce", add.reduce(x), "log2 n");
  row("from the left, Kahan", sum_by<kahan_sum>(x), "up to n");
  table.row("from the left, float64", exact, 0.0, "up to n");
}

// The same eight numbers added by pairs and from the left: a number goes through as many additions as there are
// sums below it.
void picture_of_a_tree(workbook::report& report) {
  enum : std::size_t { number, by_pairs, from_the_left };
  std::vector<float> x(8);
  std::iota(x.begin(), x.end(), 1.0f);
  workbook::diagram picture{.title = "Eight numbers, by pairs and from the left",
                            .groups = {"a number", "a sum of two, by pairs", "a sum of two, from the left"},
                            .unit_height = 24};
  const auto add_cell = [&](double left, double top, float value, std::size_t group) {
    return picture.add(
        {.x = left, .y = top, .text = workbook::significant(static_cast<double>(value), 6), .group = group});
  };
  struct part {
    std::size_t cell;
    float sum;
  };
  std::vector<part> parts;
  for (std::size_t k = 0; k < x.size(); ++k) parts.push_back({add_cell(static_cast<double>(k), 0, x[k], number), x[k]});
  for (double top = 2; parts.size() > 1; top += 2) {
    std::vector<part> sums;
    for (std::size_t k = 0; k < parts.size(); k += 2) {
      const double middle = (picture.cells[parts[k].cell].x + picture.cells[parts[k + 1].cell].x) / 2;
      const float sum = sum_of(parts[k].sum, parts[k + 1].sum);
      sums.push_back({add_cell(middle, top, sum, by_pairs), sum});
      for (const part& p : {parts[k], parts[k + 1]}) picture.arrows.push_back({.from = p.cell, .to = sums.back().cell});
    }
    parts = std::move(sums);
  }
  report.check_equal("the tree's sum is that of add.reduce", parts[0].sum, add.reduce(x));

  std::size_t before = 0;
  float sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double left = 9 + static_cast<double>(k);
    const std::size_t here = add_cell(left, 0, x[k], number);
    sum = sum_of(sum, x[k]);
    if (k > 0) {
      const std::size_t there = add_cell(left, 2 * static_cast<double>(k), sum, from_the_left);
      picture.arrows.push_back({.from = before, .to = there});
      picture.arrows.push_back({.from = here, .to = there});
      before = there;
    } else {
      before = here;
    }
  }
  report.plot(std::move(picture));
}

void errors(const std::vector<float>& x, workbook::report& report) {
  report.heading("The more numbers, the more is lost");
  std::vector<double> sizes, naive_errors, pairwise_errors, kahan_errors;
  double naive_worst = 0, pairwise_worst = 0, kahan_worst = 0;  // as a fraction of what each bound allows
  naive_sum naive;
  kahan_sum kahan;
  double exact = 0;
  for (std::size_t i = 0, next = 1; i < x.size(); ++i) {
    naive.add(x[i]);
    kahan.add(x[i]);
    exact += static_cast<double>(x[i]);
    if (i + 1 != next && i + 1 != x.size()) continue;
    next = 2 * next;
    const auto n = static_cast<double>(i + 1);
    const float pairwise = add.reduce(std::vector(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(i) + 1));
    sizes.push_back(n);
    naive_errors.push_back(relative_error(naive.sum, exact));
    pairwise_errors.push_back(relative_error(pairwise, exact));
    kahan_errors.push_back(relative_error(kahan.sum, exact));
    naive_worst = std::max(naive_worst, naive_errors.back() / naive_bound(n));
    pairwise_worst = std::max(pairwise_worst, pairwise_errors.back() / pairwise_bound(n));
    kahan_worst = std::max(kahan_worst, kahan_errors.back() / kahan_bound(n));
  }
  report.plot(workbook::xy_plot{
      .title = "Relative error of a float32 sum",
      .x = {.label = "random numbers from 0 to 1", .log = true},
      .y = {.label = "error", .log = true},
      .series = {{.name = "from the left", .x = sizes, .y = naive_errors, .style = workbook::drawn_as::line_and_points},
                 {.name = "pairwise", .x = sizes, .y = pairwise_errors, .style = workbook::drawn_as::line_and_points},
                 {.name = "Kahan", .x = sizes, .y = kahan_errors, .style = workbook::drawn_as::line_and_points}},
      .references = {{.at = rounding, .label = "one rounding"}}});
  report.check_at_most("from the left: error, of its bound", naive_worst, 1);
  report.check_at_most("pairwise: error, of its bound", pairwise_worst, 1);
  report.check_at_most("Kahan: error, of its bound", kahan_worst, 1);
}

void where_to_start(workbook::report& report) {
  report.heading("Where to start");
  const std::vector<float> x{-3, -1, -4, -1, -5}, none;
  constexpr float least = -std::numeric_limits<float>::infinity();
  auto& table = report.table("Of -3, -1, -4, -1, -5", {"operation", "start", "of the five numbers", "of no numbers"});
  const auto row = [&](const char* name, const auto& operation, float start) {
    table.row(name, start, operation.reduce(x, gs::initial(start)), operation.reduce(none, gs::initial(start)));
  };
  row("sum", add, 0);
  row("maximum", maximum, 0);
  row("maximum", maximum, least);
  row("product", multiply, 0);
  row("product", multiply, 1);
  report.check_equal("the maximum from -infinity on", maximum.reduce(x, gs::initial(least)), -1);
  report.check_equal("the product from 1 on", multiply.reduce(x, gs::initial(1.0f)), -60);
  try {
    add.reduce(none);
    report.check("a sum of nothing, without a start, is refused", false);
  } catch (const gs::error& e) {
    report.paragraph(std::string("Without a start: ") + e.what() + ".");
  }
}

void which_operations(workbook::report& report) {
  report.heading("Any operation, if the grouping doesn't matter");
  std::vector<float> x(8);
  std::iota(x.begin(), x.end(), 1.0f);
  auto& table = report.table("Of 1, 2, ..., 8", {"operation", "reduce", "from the left"});
  const auto row = [&](const char* name, const auto& operation, float (*f)(float, float)) {
    table.row(name, operation.reduce(x), std::accumulate(x.begin() + 1, x.end(), x[0], f));
  };
  row("a + b", add, sum_of);
  row("a * b", multiply, product_of);
  row("hypot(a, b)", length, length_of);
  row("a - b", subtract, difference_of);
  report.check_near("hypot: the root of the sum of the squares", static_cast<double>(length.reduce(x)),
                    std::sqrt(204.0), 1e-6);
  report.check_equal("a - b by pairs: ((1-2)-(3-4)) - ((5-6)-(7-8))", subtract.reduce(x), 0);
}

void timings(const std::vector<float>& x, workbook::report& report) {
  report.heading("How long it takes");
  const workbook::work work{.bytes = sizeof(float) * static_cast<double>(x.size()),
                            .operations = static_cast<double>(x.size())};
  const auto time = [&](const char* name, const auto& sum) {
    report.timing(name, gs::timeit(sum, {.runs = 5, .min_run_seconds = 0.02, .max_seconds = 1}), work);
  };
  time("from the left", [&] { return sum_by<naive_sum>(x); });
  time("from the left, Kahan", [&] { return sum_by<kahan_sum>(x); });
  time("from the left, float64", [&] { return sum_in_float64(x); });
  time("pairwise, one core", [&] { return add.on(gs::target::cpu).reduce(x); });
  time("pairwise, all cores", [&] { return add.on(gs::target::parallel).reduce(x); });
}

void run(const workbook::parameters& given, workbook::report& report) {
  std::vector<float> x(given.size());
  gs::fill_uniform(x, given.seed());
  tenths(given.size(), report);
  picture_of_a_tree(report);
  errors(x, report);
  where_to_start(report);
  which_operations(report);
  timings(x, report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 12,
          .name = "reduce",
          .title = "Many numbers into one",
          .summary = "Sums, maxima, products and other reductions: where to start, how to group, what float32 loses.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "numbers",
                                           .min = 1,
                                           .max = 200'000'000,
                                           .default_value = 10'000'000,
                                           .inspected = 100'000}},
          .run = run};
}
