#pragma once
// The command line of a lesson: reads the options, runs the lesson, shows the report.

#include "workbook/lesson.h"

namespace workbook {

/// Exit statuses of all programs of the course.
enum exit_status { exit_fine = 0, exit_failed = 1, exit_wrong_usage = 2, exit_machine_lacks = 3 };

/// Runs `l` with the options in argv and returns the program's exit status. Errors go to standard error as one
/// sentence; with --json standard output holds one document and nothing else.
int run_lesson_command(const lesson& l, int argc, const char* const* argv);

}  // namespace workbook
