#pragma once
// Runs a compiler as a child process and keeps what it prints.

#include <filesystem>
#include <string>
#include <vector>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::inspecting {

struct compiler_output {
  int status;  ///< the exit status; 128 + n when signal n ended it
  std::string standard_output, standard_error;
};

/// Runs `arguments` (the first is the program, looked up in PATH) in `directory`, without a shell, with English
/// messages. Throws gs::machine_error if it can't be started.
compiler_output run_compiler(const std::vector<std::string>& arguments, const std::filesystem::path& directory);

}  // namespace gs::inline GS_FLAVOUR::inspecting
