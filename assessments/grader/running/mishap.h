#pragma once
// One thing that went wrong with a submission, as data: every output format shows the same.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/instruments/results/finding.h"

namespace grader {

enum class mishap_kind {
  compile_error,
  missing_function,  ///< the task's function isn't defined, or has another signature
  timed_out,
  crashed,  ///< by a signal
  ended,    ///< the process ended by itself in the middle of a call
  exception,
  out_of_memory,
  wrong_answer,    ///< also: another size or shape than was asked for
  outside_output,  ///< a guard band was written
  changed_input,
  race,             ///< and the other findings of the instruments follow
  finding,          ///< any other finding
  too_many_copies,  ///< more or fewer than asked for
  counter,          ///< a counter above what the criterion allows
  too_slow,
  host_work,  ///< the host did what a kernel should have done, or what a kernel did can't be seen
  refused,    ///< it tried what isn't allowed; `text` says what
};
std::string to_string(mishap_kind kind);  ///< "compile error", "time-out", ...

struct mishap {
  mishap_kind kind = mishap_kind::wrong_answer;
  std::string text = {};       ///< one or more sentences, for people
  std::string criterion = {};  ///< its id; empty if it concerns the whole submission
  std::string call =
      {};  ///< to_string(test_case); empty where none ran. Hidden cases show their sizes, never their seed
  gs::source_place place = {}, other_place = {};  ///< in the learner's file; line 0: not known
  std::string details = {};  ///< the compiler's message, the finding's text: several lines, perhaps empty

  // A wrong answer's first wrong element.
  std::string array = {};
  std::vector<std::size_t> index = {}, extents = {};
  std::optional<double> expected = {}, got = {};
  std::uint64_t wrong = 0;
};

}  // namespace grader
