#pragma once
// Runs one of our programs to its end, in this program's environment.

#include <string>
#include <utility>
#include <vector>

namespace courses {

struct program_outcome {
  int status = -1;  ///< exit status; 128 + n if signal n ended it
  std::string output, error;
};

/// `variables` are added to its environment. Throws gs::machine_error if it can't be started.
program_outcome run_program(const std::vector<std::string>& command,
                            const std::vector<std::pair<std::string, std::string>>& variables = {});

}  // namespace courses
