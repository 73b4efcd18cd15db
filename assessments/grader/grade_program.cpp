// gridstride-grade: grades submissions.

#include "assessments/grader/grade_command.h"

int main(int argc, char** argv) { return grader::run_grade_command(argc, argv); }
