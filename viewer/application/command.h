#pragma once
// The viewer's command line.

namespace viewer {

/// Runs the viewer as its options say and returns its exit status: 0 fine, 2 wrong usage, 3 something the machine
/// lacks.
int command(int argc, char** argv);

}  // namespace viewer
