// A lesson that shows one of everything and fails in every way a lesson can, as its parameters ask.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <stdexcept>

#include "runtime/core/error.h"
#include "runtime/core/ledger.h"
#include "workbook/lesson.h"

namespace {

void fail(const std::string& kind) {
  if (kind == "usage") throw gs::error("the toy lesson", "it was told to fail", "choose another value for fail");
  if (kind == "machine") throw gs::machine_error("the toy lesson", "there is no such machine", "take another");
  if (kind == "memory") throw std::bad_alloc();
  if (kind == "print") {  // as gs::print in a kernel does
    std::printf("a line of C\n");
    std::cout << "a line of C++\n";
  }
  if (kind == "surprise") throw std::runtime_error("surprise");
}

void run(const workbook::parameters& values, workbook::report& report) {
  report.heading("A heading");
  report.paragraph("A paragraph about σ and µ.");
  auto& points = report.table("Points", {"name", {"distance", "m"}, "time"});
  points.row("first", 1.5, workbook::seconds(0.00342)).row("none", std::nan(""), workbook::bytes(4e6));
  report.check("the size is what was asked", values.size() == 10);
  report.check_near("sigma is near two", values.real("sigma"), 2.0, 0.5);
  report.prediction(values, "answer", 42);
  report.timing("doing nothing", gs::timing{{1e-9, 3e-9}, 1000}, {.bytes = 4});
  report.account("nothing", gs::ledger{.copies_to_device = 2, .bytes_to_device = 8'000'000});
  std::vector<double> wave;
  for (std::size_t i = 0; i < 100; ++i) wave.push_back(std::sin(0.1 * static_cast<double>(i)));
  report.plot(workbook::xy_plot{.title = "A wave",
                                .x = {.label = "sample"},
                                .y = {.label = "height", .unit = "m"},
                                .series = {{.name = "sine", .y = wave}},
                                .references = {{.at = 0.5, .label = "threshold"}}});
  fail(values.choice("fail"));
}

}  // namespace

workbook::lesson workbook::this_lesson() {
  return {
      .number = 99,
      .name = "toy",
      .title = "One of everything",
      .summary = "Shows one of everything.",
      .parameters = {workbook::integer{
                         .name = "size", .text = "number of things", .min = 1, .max = 100'000'000, .default_value = 10},
                     workbook::real{
                         .name = "sigma", .text = "width", .min = 0.5, .max = 4, .default_value = 2, .inspected = 1.75},
                     workbook::choice{.name = "fail",
                                      .text = "how to fail",
                                      .choices = {"no", "usage", "machine", "memory", "surprise", "print"}}},
      .predictions = {{.name = "answer", .question = "What is the answer?", .unit = "units"},
                      {.name = "never_tested", .question = "And the question, µ or σ?"}},
      .run = run};
}
