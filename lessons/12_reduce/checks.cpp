// What exercise 12 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <exception>
#include <limits>
#include <string>
#include <utility>

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// Returns whether the call ended without an exception.
template <class Call>
bool finished(const std::string& name, const Call& call, workbook::report& report) {
  std::string stopped = "nothing";
  try {
    call();
  } catch (const std::exception& e) {
    stopped = e.what();
  }
  return report.check_equal(name + ", what stopped it", stopped, "nothing");
}

array random_numbers(std::size_t n, float from, float to) {
  array x(n);
  gs::fill_uniform(x, n + 5);
  for (float& one : x) one = from + (to - from) * one;
  return x;
}

// A reduction on the device needs all of the array there.
bool is_on_the_device(const gs::ledger& account, const array& x) {
  return account.launches > 0 && account.bytes_to_device >= x.size() * sizeof(float);
}

void smallest_of(const std::string& text, const array& x, float expected, workbook::report& report) {
  float got = 0;
  const gs::ledger_scope scope;
  if (!finished("smallest of " + text, [&] { got = smallest(x); }, report)) return;
  report.check_equal("smallest of " + text, got, expected);
  if (!x.empty())
    report.check("smallest of " + text + ", computed on the device", is_on_the_device(scope.account(), x));
}

void smallest_ones(workbook::report& report) {
  smallest_of("{4, 2.5, 7}", {4, 2.5f, 7}, 2.5f, report);
  smallest_of("{-4, 2.5, -7}", {-4, 2.5f, -7}, -7, report);
  smallest_of("{3e38}", {3e38f}, 3e38f, report);
  smallest_of("{infinity, infinity}", {infinity, infinity}, infinity, report);
  smallest_of("{5, -infinity}", {5, -infinity}, -infinity, report);
  smallest_of("no numbers", {}, infinity, report);
  const array many = random_numbers(10'007, 1000, 2000);
  smallest_of("10,007 numbers from 1000 to 2000", many, *std::min_element(many.begin(), many.end()), report);
}

double log_sum_exp_in_float64(const array& x) {
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const float one : x) largest = std::max(largest, static_cast<double>(one));
  if (std::isinf(largest)) return largest;
  for (const float one : x) sum += std::exp(static_cast<double>(one) - largest);
  return largest + std::log(sum);
}

void log_sum_exp_of(const std::string& text, const array& x, workbook::report& report) {
  const std::string name = "log_sum_exp of " + text;
  float got = 0;
  const gs::ledger_scope scope;
  if (!finished(name, [&] { got = log_sum_exp(x); }, report)) return;
  const gs::ledger account = scope.account();
  const double expected = log_sum_exp_in_float64(x);
  if (std::isinf(expected))
    report.check_equal(name, got, expected);
  else
    report.check_near(name, static_cast<double>(got), expected, 1e-5);
  if (!x.empty()) report.check(name + ", computed on the device", is_on_the_device(account, x));
}

// If the larger is 0, the sum is the exponential of the other, and log(1 + z) has none of its digits.
void small_part(float a, float b, workbook::report& report) {
  const double larger = static_cast<double>(std::max(a, b)), smaller = static_cast<double>(std::min(a, b));
  report.check_near(
      "log_of_sum(" + workbook::to_text(workbook::cell(a)) + ", " + workbook::to_text(workbook::cell(b)) + ")",
      static_cast<double>(log_of_sum(a, b)), larger + std::log1p(std::exp(smaller - larger)), 1e-5);
}

void log_sum_exps(workbook::report& report) {
  log_sum_exp_of("{0, 1, 2}", {0, 1, 2}, report);
  log_sum_exp_of("{1000, 1001}", {1000, 1001}, report);
  log_sum_exp_of("{-1001, -1000}", {-1001, -1000}, report);
  log_sum_exp_of("{-infinity, -infinity, 3}", {-infinity, -infinity, 3}, report);
  log_sum_exp_of("{-infinity, -infinity}", {-infinity, -infinity}, report);
  log_sum_exp_of("{2, -infinity}", {2, -infinity}, report);
  log_sum_exp_of("{7}", {7}, report);
  log_sum_exp_of("no numbers", {}, report);
  small_part(0, -10, report);
  small_part(-20, 0, report);
  small_part(0, -60, report);
  for (const std::size_t n : {31, 33, 2003})
    log_sum_exp_of(std::to_string(n) + " numbers from 500 to 600", random_numbers(n, 500, 600), report);
}

void sums_of_rows(const std::string& text, const array& x, workbook::report& report) {
  const std::string name = "row_sum of " + text;
  array got;
  const auto call = [&] { got = row_sum(gs::to_device(x).reshape({1, -1})).copy_to_host(); };
  gs::inspection seen = gs::inspect(call);
  const std::exception_ptr failure = std::exchange(seen.failure, nullptr);
  report.inspection(std::move(seen));
  const bool done = finished(
      name,
      [&] {
        if (failure) std::rethrow_exception(failure);
      },
      report);
  if (!done) return;
  double exact = 0, magnitudes = 0;
  for (const float one : x) {
    exact += static_cast<double>(one);
    magnitudes += std::abs(static_cast<double>(one));
  }
  const double off = std::abs(static_cast<double>(got[0]) - exact);
  // Two roundings of the sum of the magnitudes, whatever their number; and one to write the sum as a float.
  report.check(name + ", off by no more than 3 roundings", off <= 3 * 0x1p-24 * magnitudes);
}

// Carrying what a float cuts off makes two floats of the sum: they hold the largest part and the next, but not what
// lies 2^25 below that one. A double holds all three, wherever it is used.
void in_float_alone(workbook::report& report) {
  constexpr float large = 0x1p50f, middle = 0x1p25f;
  const array x{large, middle, 1, -large, -middle};
  const float got = row_sum(gs::to_device(x).reshape({1, -1})).copy_to_host()[0];
  report.check("row_sum, in float alone: of 2^50 + 2^25 + 1 - 2^50 - 2^25, the 1 is lost", got != 1.0f);
}

// Added by halves, each half of the row that begins with 2^24 loses the 1 of the other one: 17 of them.
array one_at_each_power() {
  array x(131'072, 0.0f);
  x[0] = 0x1p24f;
  for (std::size_t i = 1; i < x.size(); i *= 2) x[i] = 1;
  return x;
}

void row_sums(workbook::report& report) {
  sums_of_rows("{1, 2, 3}", {1, 2, 3}, report);
  sums_of_rows("one number", {-2.75f}, report);
  sums_of_rows("4,099 tenths", array(4'099, 0.1f), report);
  sums_of_rows("5,021 numbers from 0 to 1", random_numbers(5'021, 0, 1), report);
  sums_of_rows(
      "2^24 and 1,000 ones",
      [] {
        array x(1001, 1.0f);
        x[0] = 0x1p24f;
        return x;
      }(),
      report);
  sums_of_rows("2^24 and a 1 at 1, 2, 4, 8, ..., 65,536", one_at_each_power(), report);
  sums_of_rows("no numbers", {}, report);
  sums_of_rows("5,021 numbers from -1 to 1", random_numbers(5'021, -1, 1), report);
  in_float_alone(report);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 12,
          .name = "reduce",
          .task = "where a minimum starts, a sum in logarithms, and a sum that loses next to nothing",
          .check = [](workbook::report& report) {
            smallest_ones(report);
            log_sum_exps(report);
            row_sums(report);
          }};
}
