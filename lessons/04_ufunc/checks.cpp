// What exercise 04 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <cmath>
#include <vector>

namespace {

void numbers(workbook::report& report) {
  report.check_equal("plus_ten(5)", plus_ten(5), 15);
  report.check_equal("plus_ten(-0.5)", plus_ten(-0.5f), 9.5);
  const std::vector<float> x{1, 2.5f, -3};
  report.check("add_ten of {1, 2.5, -3} is {11, 12.5, 7}", add_ten(x) == std::vector<float>{11, 12.5f, 7});
}

// A call that the ufunc has no signature for wouldn't compile, so it is asked first.
template <auto... functions>
void integers(gs::ufunc<functions...> f, workbook::report& report) {
  if constexpr (sizeof...(functions) > 1) {
    const std::vector<std::int64_t> x{16'777'217, -10};
    const std::vector<std::int64_t> y = f(x);
    report.check_equal("add_ten of the std::int64_t 2^24 + 1", y[0], 16'777'227);
    report.check_equal("add_ten of the std::int64_t -10", y[1], 0);
  } else {
    report.check_equal("signatures of add_ten", sizeof...(functions), 2);
  }
}

void tables(std::size_t stations, std::size_t hours, workbook::report& report) {
  const std::string size = std::to_string(stations) + " stations and " + std::to_string(hours) + " hours";
  xt::xtensor<float, 1> height = xt::linspace<float>(-1, 20, stations), temperature = xt::linspace<float>(3, 9, hours);
  const xt::xtensor<float, 2> got = measured(height, temperature);
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
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 4,
          .name = "ufunc",
          .task = "a function of one number, a second signature, and a table by broadcasting",
          .check = [](workbook::report& report) {
            numbers(report);
            integers(add_ten, report);
            tables(3, 5, report);
            tables(4, 4, report);  // where a mistaken axis has the right shape
            tables(1, 31, report);
            tables(33, 1, report);
            tables(0, 7, report);
          }};
}
