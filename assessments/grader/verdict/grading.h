#pragma once
// The state that the criteria of one submission share while it is graded.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "assessments/grader/running/submission_process.h"
#include "assessments/grader/tasks/case_seeds.h"
#include "assessments/grader/tasks/task.h"
#include "assessments/grader/verdict/verdict.h"

namespace grader {

/// One call of the submission (or of the baseline), with inputs of this seed.
using call_function = std::function<call_result(const test_case& c, std::uint64_t seed)>;

struct grading {
  const grader::task& task;
  std::filesystem::path file;  ///< the learner's, as it was given
  call_function call;          ///< plain flavour
  call_function inspect;       ///< checked flavour, under the instruments
  call_function closed_call;   ///< plain flavour; the host can have no part in it
  call_function baseline;
  std::function<std::uint64_t(const test_case&)> input_bytes;  ///< of the inputs on the device
  std::uint64_t memory_bytes = ~std::uint64_t{0};              ///< that a call may need
  bool until_first_failure = false;                            ///< a criterion ends at the first case that fails it
  case_seeds seeds{0};
  verdict result = {};

  /// Whether there is enough memory for the case; if not, adds a note, once.
  bool fits(const test_case& c);
  /// Adds the mishap with the case's sizes, and its place under the file's given name; skips duplicates.
  void add(mishap m, const criterion& c, const test_case* test);

  /// The same, unless a mishap of its kind is known: for what is graded by another criterion.
  void add_unless_known(const mishap& m, const criterion& c, const test_case& test);

  /// A case's call under the instruments, made only once for all criteria. After a time-out no other case
  /// is inspected: its result is the time-out's.
  const call_result& inspected(const test_case& c);

  /// A place in the learner's file has the file's name as it was given; others stay as they are.
  gs::source_place as_given(gs::source_place place) const;

  // What has been found so far.
  std::map<std::string, call_result> inspections = {};
  std::set<std::string> left_out = {};
  std::optional<call_result> inspection_timed_out = {};
};

/// A criterion's initial result: not run, no points.
criterion_result unknown_result(const criterion& c);
/// Sets the points for a share of them, 0 to 1, and the state that follows.
void award(criterion_result& r, const criterion& c, double share);
/// Takes the criterion's points out of those that can be reached, since it is nobody's fault.
void not_graded_here(criterion_result& r, std::string why);

/// What the device's work left out in an inspected call, as far as the instruments saw it, in a sentence: bytes of an
/// input that nothing read, or of an output that nothing wrote. Nothing if it reached them all.
std::optional<std::string> left_out_by_device(const call_result& inspected);
/// The same for a mishap, with what to do.
std::string sentence_of(std::string left_out);

// The criteria. Each adds its mishaps to `g.result` and returns its result.
criterion_result grade_device(grading& g, const criterion& c);
criterion_result grade_copies(grading& g, const criterion& c);
criterion_result grade_instruments(grading& g, const criterion& c);
criterion_result grade_counter(grading& g, const criterion& c);

}  // namespace grader
