#pragma once
// Grades one submission: from a file to a verdict.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "assessments/grader/running/submission_workshop.h"
#include "assessments/grader/tasks/task.h"
#include "assessments/grader/verdict/verdict.h"
#include "workshop/source_file.h"

namespace grader {

struct grade_options {
  std::uint64_t seed = 0;                          ///< of the hidden cases' inputs
  std::uint64_t memory_bytes = ~std::uint64_t{0};  ///< cases that need more are left out
  unsigned slot = 0;                               ///< unique among submissions graded at the same time
  bool compile_at_once = true;                     ///< both flavours side by side
  bool measure_what_earns_nothing = true;          ///< speeds without points, which are only shown
  bool measure_speed = true;                       ///< false: criteria of speed don't run
  /// Ends at the first call or criterion that fails: the rest is not run, and the checked flavour is compiled only when
  /// it is needed.
  bool until_first_failure = false;
  std::function<void(std::string_view)> on_stage = {};  ///< called as a stage begins
};

/// One submission on its way to a verdict. The order is: compile; correctness; instruments, counters and copies; speed;
/// correctness again. A failure stops only what depends on it: without a module nothing runs; after a wrong answer
/// speed isn't measured, but the instruments still run, since they may explain it.
class submission_grading {
 public:
  submission_grading(const task& t, const std::filesystem::path& file, submission_workshop& workshop,
                     const grade_options& options);
  ~submission_grading();
  submission_grading(submission_grading&&) noexcept;

  /// Everything before speed. Throws gs::machine_error for what the machine lacks.
  void before_timing();
  /// Whether there is a speed to measure.
  bool has_timing() const;
  /// Speed, and correctness again. Times are meaningful only if nothing else runs.
  void timing();
  /// The verdict. Call it once, last.
  verdict finish();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// All steps at once.
verdict grade(const task& t, const std::filesystem::path& file, submission_workshop& workshop,
              const grade_options& options = {});

/// A verdict that only says why nothing was run.
verdict not_graded(const task& t, const std::filesystem::path& file, mishap why);

}  // namespace grader
