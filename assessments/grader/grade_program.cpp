// gridstride-grade: grades submissions.

#include "assessments/grader/grade_command.h"
#include "workbook/command/command_frame.h"
#include "workshop/interrupt.h"

int main(int argc, char** argv) {
  return workbook::run_command("gridstride-grade", [&] {
    const workshop::tidy_interrupts tidy;
    return grader::run_grade_command(argc, argv);
  });
}
