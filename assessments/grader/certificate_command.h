#pragma once
// The command line of ./gridstride certificate: writes one, verifies one, makes a key.

namespace grader {

/// Runs the command in argv and returns the exit status: 0 fine, 1 not earned or not valid, 2 wrong usage, 3 something
/// the machine lacks.
int run_certificate_command(int argc, const char* const* argv);

}  // namespace grader
