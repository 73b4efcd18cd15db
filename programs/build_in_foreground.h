#pragma once
// build_in_foreground: builds a program before the user's eyes.

#include <optional>

#include "programs/build_program.h"
#include "programs/foreground.h"

namespace programs {

/// Builds with a progress bar, and says what is left out and why sources don't build: nothing then. Ends this program
/// where the user interrupts. Throws as build_program does.
std::optional<built_program> build_in_foreground(const program_files& files, workshop::flavour f, foreground& terminal);

}  // namespace programs
