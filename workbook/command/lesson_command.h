#pragma once
// The command line of a lesson: reads the options, runs the lesson, shows the report.

#include "workbook/command/exit_status.h"
#include "workbook/lesson.h"

namespace workbook {

/// Runs `l` with the options in argv and returns the program's exit status. Errors go to standard error as one
/// sentence; with --json standard output holds one document and nothing else.
int run_lesson_command(const lesson& l, int argc, const char* const* argv);

}  // namespace workbook
