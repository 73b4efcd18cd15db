#pragma once
// How a source file was compiled, from the build folder's compile_commands.json, and how to compile it for inspection.

#include <filesystem>
#include <string>
#include <vector>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::inspecting {

struct compile_command {
  std::filesystem::path directory;     ///< where it runs
  std::vector<std::string> arguments;  ///< the compiler first
};

/// Splits a command line into words as a POSIX shell does: blanks, quotes and backslashes; no expansions.
std::vector<std::string> split_command(const std::string& line);

/// The g++ command that makes `source` show how it treats its types: same definitions, include folders and language as
/// in the build, no optimisation, no warnings but -Wdouble-promotion. The intermediate code goes to standard output,
/// the warnings to standard error. A file that nvcc compiles is inspected with the host compiler, as the engine sees
/// it. Throws gs::machine_error if `build_folder` has no compile_commands.json that names the file.
compile_command inspection_command(const std::filesystem::path& build_folder, const std::filesystem::path& source);

}  // namespace gs::inline GS_FLAVOUR::inspecting
