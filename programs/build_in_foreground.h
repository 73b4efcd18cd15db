#pragma once
// build_in_foreground: builds a program while the user watches.

#include <optional>

#include "programs/build_program.h"
#include "programs/foreground.h"

namespace programs {

/// Builds with a progress bar. Prints what is left out, or why the sources don't build; then there is no result. Ends
/// this program if the user interrupts it. Throws as build_program does.
std::optional<built_program> build_in_foreground(const program_files& files, workshop::flavour f, foreground& terminal,
                                                 products wanted = products::program);

}  // namespace programs
