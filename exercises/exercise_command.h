#pragma once
// The command line of gridstride-exercise.

namespace exercises {

/// check, watch, hint, solution, reset, skip, progress and next. Exit status: 0 fine, 1 a check failed, 2 wrong usage,
/// 3 something the machine lacks.
int run_exercise_command(int argc, const char* const* argv);

}  // namespace exercises
