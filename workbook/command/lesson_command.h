#pragma once
// The command line of a lesson: reads the options, runs the lesson, shows the report.

#include "workbook/command/exit_status.h"
#include "workbook/lesson.h"

namespace workbook {

/// Runs the lesson with the options in argv and returns the program's exit status. Errors go to standard error as one
/// sentence; with --json standard output holds one document and nothing else. A lesson without a
/// number, which is a program of the user's own, needs no name: then it has its program's.
int run_lesson_command(const lesson& declared, int argc, const char* const* argv);

}  // namespace workbook
