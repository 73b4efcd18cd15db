#pragma once
// The result of checking an exercise, as data: the terminal, JSON and watch show the same.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/instruments/results/finding.h"
#include "workbook/catalogue.h"

namespace exercises {

enum class outcome {
  passed,
  check_failed,
  finding,  ///< the instruments found something, and no check had failed before
  exception,
  crashed,        ///< by a signal
  ended,          ///< the program ended by itself in the middle of the checks
  timed_out,      ///< while it was compiled or while it ran
  out_of_memory,  ///< likewise
  refused,        ///< it tried what isn't allowed; `text` says what
  compile_error,
};
std::string_view to_string(outcome o);  ///< "passed", "check failed", ...

struct check_result {
  std::string name;
  bool passed = false;
  std::string expected, got;  ///< may be empty
  gs::source_place place;     ///< in checks.cpp
};

/// What an instrument found at a line of the learner's, of its kind and in its kernel; and how many checks had ended
/// before.
struct exercise_finding : gs::finding {
  std::size_t checks_before = 0;
};

/// A path as a learner reads it: from where they are, if it lies below.
std::string shown_path(const std::filesystem::path& path);

struct exercise_result {
  workbook::catalogue_exercise exercise = {};
  std::string file = {};  ///< the learner's, as it is shown
  exercises::outcome outcome = exercises::outcome::passed;
  std::string text = {};                  ///< what happened, as a sentence; empty for a failed check and a finding
  gs::source_place place = {};            ///< in the learner's file; line 0: not known
  std::string messages = {};              ///< the compiler's, shortened
  std::string advice = {};                ///< what is mostly meant by such messages; may be empty
  bool to_the_end = false;                ///< whether the checks ended as they should
  std::vector<check_result> checks = {};  ///< those that ran, in order
  std::vector<exercise_finding> findings = {};  ///< of the instruments, in order
  gs::source_place asked_place =
      {};  ///< what the first failed check asks for, in the learner's file; line 0: not known
  std::optional<std::uint64_t> seed = {};  ///< of the checks' random data, where they have any
  std::string output = {};                 ///< the first of what it printed
  std::string device = {};                 ///< where nvcc's program ran; empty: observed, on the engine
  std::string left_out = {};               ///< what this machine's compiler can't look for, as a sentence
  double compile_seconds = 0, run_seconds = 0;

  bool passed() const { return outcome == exercises::outcome::passed; }
  std::size_t failed_checks() const;
  const check_result* first_failed_check() const;  ///< nullptr: none
  /// What comes first, the failed check or a finding; both, if the finding is of what that check looks at.
  bool fails_first() const;
  bool finds_first() const;
};

}  // namespace exercises
