#pragma once
// The program's command line.

namespace bench {

/// Measures what the command line asks for. Returns the exit status that bench/README.md describes.
int run_command_line(int argument_count, char** arguments);

}  // namespace bench
