// A program with a report instead of a main.

#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

void run(const workbook::parameters& values, workbook::report& report) {
  std::vector<double> x, y;
  for (std::size_t k = 0; k < values.size(); ++k) {
    x.push_back(static_cast<double>(k));
    y.push_back(x.back() * x.back());
  }
  report.check("there are as many squares as numbers", y.size() == values.size());
  report.plot(workbook::xy_plot{.title = "Squares", .series = {{.name = "squares", .x = x, .y = y}}});
}

workbook::lesson workbook::this_lesson() {
  return {
      .name = "squares",
      .title = "Squares",
      .parameters = {workbook::integer{.name = "size", .text = "how many", .min = 1, .max = 1000, .default_value = 10}},
      .run = run};
}
