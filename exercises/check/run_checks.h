#pragma once
// Runs the checks of a compiled exercise, within limits of time, memory and output.

#include "exercises/check/check_exercise.h"
#include "exercises/check/compile_exercise.h"

namespace exercises {

inline constexpr std::uint64_t run_memory_bytes = std::uint64_t{4} << 30, run_output_bytes = 64 << 10;

/// Fills in the result. Returns false if it was interrupted. Throws gs::machine_error if it can't be started.
bool run_checks(const exercise_program& p, const check_options& o, exercise_result& result);

}  // namespace exercises
