// What exercise 04 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace {

// A call that the ufunc has no signature for wouldn't compile, so it is asked first.
template <class T, auto... functions>
constexpr bool takes(gs::ufunc<functions...>) {
  return (std::is_same_v<decltype(functions), T (*)(T)> || ...);
}

template <class F>
void numbers(F f, workbook::report& report) {
  report.check_equal("plus_ten(5)", plus_ten(5), 15);
  report.check_equal("plus_ten(-0.5)", plus_ten(-0.5f), 9.5);
  report.check_equal("plus_ten(-10)", plus_ten(-10), 0);
  report.check_equal("plus_ten(1e10)", plus_ten(1e10f), 1e10f);
  if (!report.check("add_ten takes float", takes<float>(f))) return;
  if constexpr (takes<float>(F())) {
    const std::vector<float> x{1, 2.5f, -3};
    report.check("add_ten of {1, 2.5, -3} is {11, 12.5, 7}", f(x) == std::vector<float>{11, 12.5f, 7});
    report.check("add_ten of no float", f(std::vector<float>()).empty());
  }
}

template <class F>
void integers(F f, workbook::report& report) {
  if (!report.check("add_ten takes std::int64_t", takes<std::int64_t>(f))) return;
  if constexpr (takes<std::int64_t>(F())) {
    const std::vector<std::int64_t> x{16'777'217, -10, 9'007'199'254'740'993, -9'223'372'036'854'775'807};
    const std::vector<std::int64_t> y = f(x);
    for (std::size_t k = 0; k < x.size(); ++k)
      report.check_equal("add_ten of the std::int64_t " + workbook::to_text(workbook::cell(x[k])), y[k], x[k] + 10);
  }
}

void tables(std::size_t stations, std::size_t hours, workbook::report& report) {
  const std::string size = std::to_string(stations) + " stations and " + std::to_string(hours) + " hours";
  xt::xtensor<float, 1> height = xt::linspace<float>(-1, 20, stations), temperature = xt::linspace<float>(3, 9, hours);
  const bool on_the_device = gs::default_target() == gs::target::device;  // elsewhere nothing is counted
  const gs::ledger_scope scope;
  const xt::xtensor<float, 2> got = measured(height, temperature);
  const gs::ledger account = scope.account();
  if (!report.check_equal("shape for " + size, gs::to_string(gs::shape(got.shape())),
                          gs::to_string(gs::shape{stations, hours})))
    return;
  for (std::size_t k = 0; k < stations; ++k)
    for (std::size_t h = 0; h < hours; ++h)
      if (got(k, h) != height(k) + temperature(h)) {
        report.check_equal("station " + std::to_string(k) + ", hour " + std::to_string(h) + " of " + size, got(k, h),
                           height(k) + temperature(h));
        return;
      }
  report.check("measured for " + size, true);
  if (got.size() > 0 && on_the_device)
    report.check("measured for " + size + ", computed by a ufunc",
                 account.launches > 0 && account.bytes_to_host >= got.size() * sizeof(float));
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 4,
          .name = "ufunc",
          .task = "a function of one number, a second signature, and a table by broadcasting",
          .check = [](workbook::report& report) {
            numbers(add_ten, report);
            integers(add_ten, report);
            tables(3, 5, report);
            tables(4, 4, report);  // where a mistaken axis has the right shape
            tables(1, 31, report);
            tables(33, 1, report);
            tables(31, 32, report);
            tables(1, 1, report);
            tables(0, 7, report);
            tables(7, 0, report);
          }};
}
