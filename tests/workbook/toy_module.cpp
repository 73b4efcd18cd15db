// A lesson that exists twice, with the same names for different things: TOY_NUMBER is 1 or 2.

#include "runtime/core/error.h"
#include "workbook/lesson.h"

int same_name() { return 100 * TOY_NUMBER; }

template <class T>
T& same_counter() {
  static T value = T(TOY_NUMBER);
  return value;
}

struct same_type {
  virtual ~same_type() = default;
  virtual int number() const { return TOY_NUMBER; }
};

int same_global = TOY_NUMBER;

void run(const workbook::parameters& values, workbook::report& report) {
  report.check_equal("function", same_name(), 100 * TOY_NUMBER);
  report.check_equal("static variable of a template", same_counter<int>(), TOY_NUMBER);
  report.check_equal("virtual function", same_type().number(), TOY_NUMBER);
  report.check_equal("global variable", same_global, TOY_NUMBER);
  ++same_counter<int>();
  if (values.choice("fail") == "yes") throw gs::machine_error("module", "nothing", "try again");
}

workbook::lesson workbook::this_lesson() {
  return {.number = TOY_NUMBER,
          .name = "module",
          .title = "Module",
          .summary = "",
          .parameters = {workbook::choice{.name = "fail", .text = "", .choices = {"no", "yes"}}},
          .run = run};
}
