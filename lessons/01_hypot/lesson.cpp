// Lesson 01: a function, compiled and timed. Three ways to compute the length of (x, y), and what each one costs.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

constexpr double infinity = std::numeric_limits<double>::infinity();

// The formula of Pythagoras as it stands.
double hypot_direct(double x, double y) { return std::sqrt(x * x + y * y); }

// The textbook's formula: with the larger side taken out of the root, nothing as large as x * x is ever computed.
double hypot_textbook(double x, double y) {
  const double larger = std::max(std::abs(x), std::abs(y));
  const double smaller = std::min(std::abs(x), std::abs(y));
  const double t = smaller / larger;
  return larger * std::sqrt(1 + t * t);
}

// The same lines, compiled with the optimiser off: each value goes to memory and back, each std::max is a call.
__attribute__((noinline, optimize("O0"))) double hypot_unoptimised(double x, double y) {
  const double larger = std::max(std::abs(x), std::abs(y));
  const double smaller = std::min(std::abs(x), std::abs(y));
  const double t = smaller / larger;
  return larger * std::sqrt(1 + t * t);
}

// The standard library's version, which has had more thought put into it.
double hypot_standard(double x, double y) { return std::hypot(x, y); }

// One function over whole arrays. `f` is a template argument, so the compiler sees its body here.
template <double f(double, double)>
void over_array(const std::vector<double>& x, const std::vector<double>& y, std::vector<double>& out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = f(x[i], y[i]);
}

struct version {
  std::string name;
  double (*of_one_pair)(double, double);
  void (*many)(const std::vector<double>&, const std::vector<double>&, std::vector<double>&);
};
const std::vector<version> versions{
    {"sqrt(x*x + y*y)", hypot_direct, over_array<hypot_direct>},
    {"textbook, -O0", hypot_unoptimised, over_array<hypot_unoptimised>},
    {"textbook, -O3", hypot_textbook, over_array<hypot_textbook>},
    {"std::hypot", hypot_standard, over_array<hypot_standard>},
};

void difficult_inputs(workbook::report& report) {
  report.heading("Large, small, nothing, everything");
  auto& table = report.table("The same functions where it gets difficult",
                             {"x", "y", "sqrt(x*x + y*y)", "textbook", "std::hypot"});
  const std::vector<std::pair<double, double>> inputs{{3, 4}, {3e200, 4e200}, {3e-200, 4e-200},
                                                      {0, 0}, {infinity, 1},  {infinity, infinity}};
  for (const auto& [x, y] : inputs) table.row(x, y, hypot_direct(x, y), hypot_textbook(x, y), hypot_standard(x, y));
  report.check("sqrt(x*x + y*y) of (3e200, 4e200) is infinite", std::isinf(hypot_direct(3e200, 4e200)));
  report.check_near("the textbook's formula of (3e200, 4e200)", hypot_textbook(3e200, 4e200), 5e200, 1e-15);
  report.check("the textbook's formula of (0, 0) is not a number", std::isnan(hypot_textbook(0, 0)));
  report.check_equal("std::hypot(0, 0)", hypot_standard(0, 0), 0.0);

  // How far each result is from the exact one, over all magnitudes that a double can have.
  std::vector<double> x, direct, textbook;
  for (int exponent = -300; exponent <= 300; exponent += 2) {
    const double a = std::pow(10.0, exponent), truth = 5 * a;
    const double result = hypot_direct(3 * a, 4 * a);
    x.push_back(3 * a);
    direct.push_back(std::isinf(result) ? std::numeric_limits<double>::quiet_NaN() : result / truth);
    textbook.push_back(hypot_textbook(3 * a, 4 * a) / truth);
  }
  report.plot(workbook::xy_plot{
      .title = "Where the direct formula breaks",
      .x = {.label = "x", .log = true},
      .y = {.label = "length of (x, 4x/3), divided by the true length", .min = 0, .max = 1.25},
      .series = {{.name = "textbook", .x = x, .y = textbook}, {.name = "sqrt(x*x + y*y)", .x = x, .y = direct}}});
}

void over_many_pairs(std::size_t pairs, std::uint64_t seed, workbook::report& report) {
  report.heading("Many pairs: how long, and how exact");
  std::mt19937_64 random(seed);
  std::normal_distribution<double> side;
  std::vector<double> x(pairs), y(pairs), out(pairs);
  for (std::size_t i = 0; i < pairs; ++i) x[i] = side(random), y[i] = side(random);

  // The reference is computed in long double, whose 64 bits of precision are 11 more than a double's.
  auto& table = report.table("", {"function", {"time per pair", "ns"}, {"largest error", "ulp"}, {"exact", "%"}});
  std::vector<std::string> names;
  std::vector<double> times;
  for (const version& v : versions) {
    const gs::timing time = gs::timeit([&] { v.many(x, y, out); }, {.min_run_seconds = 0.03, .max_seconds = 1});
    double largest = 0;
    std::size_t exact = 0;
    for (std::size_t i = 0; i < pairs; ++i) {
      const long double truth = std::hypot(static_cast<long double>(x[i]), static_cast<long double>(y[i]));
      const auto rounded = static_cast<double>(truth);
      const double ulp = std::nextafter(rounded, infinity) - rounded;
      const auto error = static_cast<double>(std::abs(out[i] - truth)) / ulp;
      largest = std::max(largest, std::isnan(error) ? infinity : error);
      exact += out[i] == rounded;
    }
    const double n = static_cast<double>(pairs);
    table.row(v.name, time.best() / n * 1e9, largest, 100 * static_cast<double>(exact) / n);
    report.check_at_most(v.name + ", largest error in units of the last place", largest, 4);
    names.push_back(v.name);
    times.push_back(time.best() / n * 1e9);
  }
  report.plot(workbook::bar_plot{.title = "Time per pair",
                                 .categories = names,
                                 .value = {.label = "time per pair", .unit = "ns", .min = 0},
                                 .groups = {{.name = "", .values = times}}});
}

void run(const workbook::parameters& given, workbook::report& report) {
  const double x = given.real("x"), y = given.real("y");
  report.heading("One pair");
  auto& table = report.table("The length of one vector", {"function", "x", "y", "length"});
  for (const version& v : versions) table.row(v.name, x, y, v.of_one_pair(x, y));
  report.check_equal("hypot(3, 4) by the textbook's formula", hypot_textbook(3, 4), 5.0);

  // timeit takes any callable, and hides x and y from the optimiser so that it can't compute the result in advance.
  const gs::timeit_options quick{.min_run_seconds = 0.05};
  report.timing("sqrt(x*x + y*y)", gs::timeit([&] { return hypot_direct(x, y); }, quick));
  report.timing("textbook, -O0", gs::timeit([&] { return hypot_unoptimised(x, y); }, quick));
  report.timing("textbook, -O3", gs::timeit([&] { return hypot_textbook(x, y); }, quick));
  report.timing("std::hypot", gs::timeit([&] { return hypot_standard(x, y); }, quick));

  difficult_inputs(report);
  over_many_pairs(given.size(), given.seed(), report);
}

workbook::lesson workbook::this_lesson() {
  return {
      .number = 1,
      .name = "hypot",
      .title = "A function, compiled and timed",
      .summary = "The length of a vector three ways: what the optimiser is worth, and where a formula breaks.",
      .parameters = {workbook::real{.name = "x", .text = "one side", .min = -1e300, .max = 1e300, .default_value = 3},
                     workbook::real{
                         .name = "y", .text = "the other side", .min = -1e300, .max = 1e300, .default_value = 4},
                     workbook::integer{.name = "size",
                                       .text = "pairs that are timed and checked",
                                       .min = 1,
                                       .max = 10'000'000,
                                       .default_value = 100'000}},
      .run = run};
}
