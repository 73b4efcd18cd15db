#pragma once
// The command line of gridstride-program-bench: builds and runs a user's own program, and shows its times beside
// the limits of this machine.

namespace bench {

/// `[--json] FILES [ARGUMENTS]`. Returns the exit status: 0; 1 where the sources don't build; 2 for wrong usage, also
/// where the program times nothing; 3 for what the machine lacks; else the program's own, where it isn't 0.
int run_own_program_command(int argc, const char* const* argv);

}  // namespace bench
