#pragma once
// Runs a program of ours to its end, with the environment of this one.

#include <string>
#include <utility>
#include <vector>

namespace courses {

struct program_outcome {
  int status = -1;  ///< exit status; 128 + n if signal n ended it
  std::string output, error;
};

/// `variables` are set in its environment beside those there are. Throws gs::machine_error if it can't be started.
program_outcome run_program(const std::vector<std::string>& command,
                            const std::vector<std::pair<std::string, std::string>>& variables = {});

}  // namespace courses
