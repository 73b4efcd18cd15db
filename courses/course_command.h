#pragma once
// The command line of gridstride-course.

namespace courses {

/// new DIR, and check [DIR] [--files]; returns the exit status.
int run_course_command(int argc, const char* const* argv);

}  // namespace courses
