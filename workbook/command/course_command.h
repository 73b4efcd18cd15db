#pragma once
// The command line of the course: gridstride-workbook list, next, run.

namespace workbook {

/// Runs the command in argv and returns the exit status; `run` becomes the lesson's program and doesn't return.
int run_course_command(int argc, const char* const* argv);

}  // namespace workbook
