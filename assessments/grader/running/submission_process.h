#pragma once
// A submission running in its sandbox: the grader's end of the channel. Inputs and outputs are in the grader's shared
// memory; times are measured here, between this end's own messages.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assessments/grader/running/compile.h"
#include "assessments/grader/running/mishap.h"
#include "assessments/grader/tasks/problem.h"
#include "assessments/grader/tasks/task.h"
#include "runtime/core/ledger.h"
#include "runtime/instruments/results/inspection.h"
#include "workshop/sandbox.h"

namespace grader {

using workshop::isolation;

/// The result of one call. A wrong answer, a changed input or an overwritten guard band doesn't
/// end a call: the members below are filled in all the same.
struct call_result {
  /// How the device used one of the call's arrays. In bytes, each counted once.
  struct array_use {
    std::string name;
    array_role role = array_role::host_input;
    std::uint64_t bytes = 0;
    std::uint64_t used = 0;     ///< inspected: of an input, read by the device's work; of an output, written by it
    std::uint64_t lacking = 0;  ///< closed: of an input on the host, never brought to the device as they are; of an
                                ///< output on the host, not what was last brought back
    bool is_output() const { return role == array_role::host_output || role == array_role::device_output; }
  };
  std::optional<mishap> went_wrong;  ///< crash, time-out, wrong answer, ...
  double seconds = 0;                ///< duration of the timed step
  gs::ledger account;                ///< as counted by the submission's own process
  std::optional<gs::inspection> inspection;
  std::vector<array_use> arrays = {};
};

/// A wrong answer with the sentence that tells the learner.
mishap mishap_of(const wrong_answer& w);

class submission_process {
 public:
  /// Starts the runner with the module in a sandbox. Throws gs::machine_error if the sandbox itself can't be set up.
  /// With `closed`, the device's memory is closed to host code, and the device gets different values than the host
  /// sees: what the host computes is useless.
  submission_process(const task& t, const problem& p, const compiled_module& module, isolation level, unsigned slot = 0,
                     bool closed = false);
  ~submission_process();  ///< ends the process and everything it started
  submission_process(const submission_process&) = delete;

  /// One call: fresh inputs of `seed`, poisoned outputs between guard bands, prepare, run, deliver; then the process is
  /// stopped while answer, guard bands and inputs are checked. A process that has ended is restarted by the next
  /// call.
  call_result call(const test_case& c, std::uint64_t seed, bool inspect = false);

  /// What the submission has printed so far, made printable; at most limits.output_bytes of it.
  std::string output() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace grader
