// What exercise 90 is checked for. The learners' files are made by the tests of the learner's loop.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <vector>

namespace {

void elements(std::size_t n, workbook::report& report) {
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i % 7);
  const auto count = gs::to_device(std::vector<unsigned>{0});
  const auto x_device = gs::to_device(x);
  report.inspection(gs::inspect([&] { gs::launch<count_above>({.grid = 2, .block = 64}, x_device, 3.5f, count); }));
  report.check_equal("above 3.5 of " + std::to_string(n), count.copy_to_host()[0],
                     std::ranges::count_if(x, [](float v) { return v > 3.5f; }));
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 90, .name = "counter", .task = "a counter", .check = [](workbook::report& report) {
            elements(0, report);
            elements(1009, report);
          }};
}
