#pragma once
// The command line of gridstride-program: programs of your own, made of files anywhere.

namespace programs {

/// Returns the exit status: the program's own where it has run; 1 where the sources don't build; 2 for wrong usage; 3
/// for what the machine lacks.
int run_program_command(int argc, const char* const* argv);

}  // namespace programs
