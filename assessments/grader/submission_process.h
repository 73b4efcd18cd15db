#pragma once
// A submission at work in its sandbox: the grader's end of the channel. Inputs and outputs lie in shared memory of the
// grader's; times are measured here, between this end's own messages.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "assessments/grader/compile.h"
#include "assessments/grader/mishap.h"
#include "assessments/grader/problem.h"
#include "assessments/grader/sandbox.h"
#include "assessments/grader/task.h"
#include "runtime/core/ledger.h"
#include "runtime/instruments/inspection.h"

namespace grader {

/// What one call came to. An answer that is wrong, an input that was changed or a guard band that was written don't
/// end a call: what follows is filled in all the same.
struct call_result {
  std::optional<mishap> went_wrong;  ///< crash, time-out, wrong answer, ...
  double seconds = 0;                ///< of the timed step
  gs::ledger account;                ///< as the submission's own process counts
  std::optional<gs::inspection> inspection;
};

class submission_process {
 public:
  /// Starts the runner with the module in a sandbox. Throws gs::machine_error if the sandbox itself can't be set up.
  submission_process(const task& t, const problem& p, const compiled_module& module, isolation level,
                     unsigned slot = 0);
  ~submission_process();  ///< ends the process and everything it started
  submission_process(const submission_process&) = delete;

  /// One call: fresh inputs of `seed`, poisoned outputs between guard bands, prepare, run, deliver; then the process is
  /// stopped while answer, guard bands and inputs are checked. A process that has ended is started again by the next
  /// call.
  call_result call(const test_case& c, std::uint64_t seed, bool inspect = false);

  /// What the submission printed so far, at most limits.output_bytes of it, made printable.
  std::string output() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace grader
