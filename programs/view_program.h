#pragma once
// view_program: a program that has a report, shown by the viewer.

#include <filesystem>
#include <string>
#include <vector>

#include "programs/foreground.h"
#include "programs/program_files.h"

namespace programs {

/// Builds the program and its module, and puts them into lessons/ of the folder, in place of older ones. False if the
/// sources don't build; then the user has been told why. Throws gs::error if it has a main instead of a report,
/// gs::machine_error if the folder can't be written, and as build_program does.
bool build_for_viewer(const program_files& files, const std::filesystem::path& folder, foreground& terminal);

/// Builds it, and runs the viewer with these options of its own, until the window is closed. Returns the viewer's exit
/// status; 1 if the sources don't build. Throws as build_for_viewer does.
int view_program(const program_files& files, const std::vector<std::string>& options);

}  // namespace programs
