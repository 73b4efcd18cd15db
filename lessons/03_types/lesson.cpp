// Lesson 03: types. One formula for several types, what each of them costs, and a letter that is missing.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "runtime/gs.h"
#include "runtime/inspect/inspect.h"
#include "workbook/lesson.h"

// One formula, any type: ((2 x + 3) x - 1) x + 5. All its numbers are integers, which every T holds exactly.
template <class T>
GS_FN T cubic(T x) {
  return ((T{2} * x + T{3}) * x - T{1}) * x + T{5};
}
// A specialisation for each type, in one ufunc. The arguments' type chooses.
inline constexpr auto polynomial = gs::vectorize<cubic<float>, cubic<double>, cubic<std::int64_t>>;

// Two formulas for floats, and each once more with a letter missing.
GS_FN float damped_float(float x) { return (0.1f * x + 0.3f) * x; }
GS_FN float damped_wide(float x) { return static_cast<float>((0.1 * x + 0.3f) * x); }
GS_FN float half_float(float x) { return 0.5f * x; }
GS_FN float half_wide(float x) { return static_cast<float>(0.5 * x); }

inline constexpr auto damped = gs::vectorize<damped_float>;
inline constexpr auto damped_with_a_double = gs::vectorize<damped_wide>;
inline constexpr auto half = gs::vectorize<half_float>;
inline constexpr auto half_with_a_double = gs::vectorize<half_wide>;

// Both look the same.
GS_FN bool is_more_than_a_tenth(float x) { return x > 0.1; }
GS_FN bool is_more_than_a_tenth_float(float x) { return x > 0.1f; }

// Numbers in [-2, 2), or integers in [-1000, 1000).
template <class T>
std::vector<T> random_numbers(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> x(size);
  for (T& one : x) {
    const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
    one = static_cast<T>(std::is_integral_v<T> ? std::floor(2000 * unit) - 1000 : 4 * unit - 2);
  }
  return x;
}

void specialisations(workbook::report& report) {
  report.heading("One function, three types");
  auto& table = report.table("", {"signature", "polynomial of 1,000,001", "exact up to"});
  table.columns[1].digits = table.columns[2].digits = 19;
  constexpr std::int64_t n = 1'000'001, exact = ((2 * n + 3) * n - 1) * n + 5;
  const auto signatures = polynomial.signatures();
  const auto in_float = static_cast<double>(polynomial(static_cast<float>(n)));
  const double in_double = polynomial(static_cast<double>(n));
  table.row(signatures[0], in_float, std::int64_t{1} << std::numeric_limits<float>::digits);
  table.row(signatures[1], in_double, std::int64_t{1} << std::numeric_limits<double>::digits);
  table.row(signatures[2], polynomial(n), std::numeric_limits<std::int64_t>::max());
  report.check_equal("in int64 it is exact", polynomial(n), exact);
  report.check_near("in float64, 16 digits", in_double, static_cast<double>(exact), 1e-15);
  report.check_near("in float32, 7 digits", in_float, static_cast<double>(exact), 5e-7);
}

// How long a call takes, on one core.
template <class F, class T>
double seconds_of(const F& f, const std::vector<T>& x) {
  std::vector<T> out(x.size());
  return gs::timeit([&] { f.on(gs::target::cpu)(x, gs::out(out)); }, {.min_run_seconds = 0.01, .max_seconds = 0.1})
      .best();
}

template <class T>
void cost_of(const char* name, std::size_t many, std::size_t few, std::uint64_t seed, double (&unit)[2],
             workbook::table& table, workbook::report& report) {
  const auto x = random_numbers<T>(many, seed);
  const std::vector<T> some(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(few)), y = polynomial(x);
  double largest = 0;
  for (std::size_t i = 0; i < many; ++i) {
    const auto v = static_cast<long double>(x[i]);
    // Terms may cancel: the error is measured against the largest of them.
    const long double expected = ((2 * v + 3) * v - 1) * v + 5, scale = std::abs(2 * v * v * v) + 5;
    largest = std::max(largest, static_cast<double>(std::abs(static_cast<long double>(y[i]) - expected) / scale));
  }
  const double in_cache = seconds_of(polynomial, some) / static_cast<double>(few);
  const double from_memory = seconds_of(polynomial, x) / static_cast<double>(many);
  if (unit[0] == 0) unit[0] = in_cache, unit[1] = from_memory;
  table.row(name, sizeof(T), 1e9 * in_cache, in_cache / unit[0], 1e9 * from_memory, from_memory / unit[1], largest);
  const double epsilon = std::is_integral_v<T> ? 0 : static_cast<double>(std::numeric_limits<T>::epsilon());
  report.check_at_most(std::string("largest error in ") + name, largest, 4 * epsilon);
}

void costs(std::size_t size, std::uint64_t seed, workbook::report& report) {
  report.heading("What a type costs");
  const std::size_t few = std::min<std::size_t>(size, 1'000);
  auto& table = report.table(
      "One core, " + std::to_string(few) + " numbers in the cache and " + std::to_string(size) + " in memory",
      {"type", "bytes", {"in cache", "ns"}, "ratio", {"from memory", "ns"}, "ratio", "largest error"});
  double unit[2] = {0, 0};
  cost_of<float>("float32", size, few, seed, unit, table, report);
  cost_of<double>("float64", size, few, seed, unit, table, report);
  cost_of<std::int64_t>("int64", size, few, seed, unit, table, report);
}

void letters(std::uint64_t seed, workbook::report& report) {
  report.heading("A missing letter");
  const auto x = random_numbers<float>(1'000, seed);
  auto& table = report.table("1,000 floats in the cache", {"formula", {"time", "ns"}, "ratio", "other results"});
  const auto compare = [&](const char* name, const auto& f, const char* wide_name, const auto& wide) {
    const std::vector<float> y = f(x), z = wide(x);
    std::size_t differ = 0;
    for (std::size_t i = 0; i < x.size(); ++i) differ += y[i] != z[i];
    const double time = seconds_of(f, x), wide_time = seconds_of(wide, x);
    const double n = 1e-9 * static_cast<double>(x.size());
    table.row(name, time / n, 1.0, 0);
    table.row(wide_name, wide_time / n, wide_time / time, differ);
    return differ;
  };
  const std::size_t tenths = compare("(0.1f * x + 0.3f) * x", damped, "(0.1 * x + 0.3f) * x", damped_with_a_double);
  const std::size_t halves = compare("0.5f * x", half, "0.5 * x", half_with_a_double);
  report.check("0.1 is no float: with 0.1 some results differ", tenths > 0);
  report.check_equal("0.5 is one: results that differ with 0.5", halves, 0);

  auto& tenth = report.table("Is x more than a tenth, for x = 0.1f?", {"comparison", "says"});
  const bool wide = is_more_than_a_tenth(0.1f), narrow = is_more_than_a_tenth_float(0.1f);
  tenth.row("x > 0.1", wide ? "yes" : "no").row("x > 0.1f", narrow ? "yes" : "no");
  report.check("x > 0.1 compares the double 0.1 with a float that is larger", wide && !narrow);
}

void find_them(workbook::report& report) {
  report.heading("Who widens?");
  const gs::type_report found = gs::inspect_types<damped_float, damped_wide, half_wide, is_more_than_a_tenth>();
  report.paragraph(gs::to_text(found));
  if (!found.complete) return;  // without a compiler there is nothing to check
  const auto finds = [&](const std::string& function, const std::string& expression) {
    return std::ranges::any_of(found.widenings, [&](const gs::widening& w) {
      return w.function.starts_with(function) && w.expression == expression;
    });
  };
  report.check("it finds 0.1 * x, 0.5 * x and x > 0.1",
               finds("damped_wide", "0.1 * x") && finds("half_wide", "0.5 * x") && finds("is_more", "x > 0.1"));
  report.check("and nothing where every number has its f", std::ranges::none_of(found.widenings, [](const auto& w) {
                 return w.function.starts_with("damped_float");
               }));
}

void run(const workbook::parameters& given, workbook::report& report) {
  specialisations(report);
  costs(given.size(), given.seed(), report);
  letters(given.seed(), report);
  if (given.choice("inspector") == "on") find_them(report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 3,
          .name = "types",
          .title = "What the type of a number costs",
          .summary = "One function for float32, float64 and int64: time, digits, and how a float becomes a double.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "numbers that don't fit into the cache",
                                           .min = 1,
                                           .max = 100'000'000,
                                           .default_value = 4'000'000,
                                           .inspected = 100'000},
                         workbook::choice{.name = "inspector",
                                          .text = "lets the type inspector look for widenings, some 2 s",
                                          .choices = {"off", "on"}}},
          .run = run};
}
