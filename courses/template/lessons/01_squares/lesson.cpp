// Lesson 01: one function of a number becomes a function of arrays.

#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

GS_FN float square(float x) { return x * x; }
constexpr auto squares = gs::vectorize<square>;

void run(const workbook::parameters& given, workbook::report& report) {
  std::vector<float> x(given.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 1000);
  const std::vector<float> y = squares(x);
  std::size_t right = 0;
  for (std::size_t i = 0; i < x.size(); ++i) right += y[i] == x[i] * x[i];
  report.check_equal("elements that are the square of theirs", right, x.size());
}

workbook::lesson workbook::this_lesson() {
  return {.number = 1,
          .name = "squares",
          .title = "Squares",
          .summary = "One function of a number becomes a function of arrays.",
          .parameters = {workbook::integer{
              .name = "size", .text = "number of elements", .min = 1, .max = 100'000'000, .default_value = 1000}},
          .run = run};
}
