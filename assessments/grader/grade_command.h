#pragma once
// The command line of ./gridstride grade: lists the tasks, grades a submission or a class.

namespace grader {

/// Runs the command in argv and returns the exit status: 0 passed (a class: every submission has its verdict), 1 not
/// passed, 2 wrong usage, 3 something the machine lacks.
int run_grade_command(int argc, const char* const* argv);

}  // namespace grader
