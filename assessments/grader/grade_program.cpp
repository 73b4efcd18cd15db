// gridstride-grade: grades submissions.

#include "assessments/grader/grade_command.h"
#include "assessments/grader/interrupt.h"

int main(int argc, char** argv) {
  const grader::tidy_interrupts tidy;
  return grader::run_grade_command(argc, argv);
}
