// gridstride-grade: grades submissions.

#include "assessments/grader/grade_command.h"
#include "workbook/command/exit_status.h"
#include "workshop/interrupt.h"

int main(int argc, char** argv) try {
  const workshop::tidy_interrupts tidy;
  return grader::run_grade_command(argc, argv);
} catch (...) {
  return workbook::said_exception("gridstride-grade");
}
