#pragma once
// Checks a learner's file: compiles it with the checks of its exercise, and runs them.

#include <cstdint>
#include <filesystem>
#include <optional>

#include "exercises/result/exercise_result.h"
#include "workshop/process.h"
#include "workshop/sandbox.h"

namespace exercises {

struct check_options {
  workshop::isolation level = workshop::isolation::limits;
  double run_seconds = 20;  ///< limit for the checks; compiling has 60 s
  std::uint64_t seed = 1;   ///< of the checks' random data
  /// Compiles it by nvcc, and runs it on the GPU, or on the engine where there is none. Nothing is observed then: only
  /// the answers are checked.
  bool by_nvcc = false;
  workshop::interruption by = {};
};

/// The result; nothing if it was interrupted. Throws gs::error if the file can't be read, gs::machine_error if
/// what it needs isn't built.
std::optional<exercise_result> check_exercise(const workbook::catalogue_exercise& exercise,
                                              const std::filesystem::path& file, const check_options& o = {});

}  // namespace exercises
