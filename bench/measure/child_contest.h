#pragma once
// A contest in another process of this program, on some of the cores: the pools of the engine and of OpenMP
// have as many threads as there were cores when they started, and on fewer cores those would get in each other's way.

#include <cstddef>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "bench/measure/contest.h"
#include "bench/measure/peer_process.h"
#include "bench/measure/run.h"
#include "bench/measure/workload.h"

namespace bench {

/// The child's side: prepares the workload and writes its entrants to `out` as a line of JSON, or the reason why there
/// are none; then, for each line "round" that it reads from `in`, measures a round and writes a line with its seconds.
/// Returns at the end of `in`.
void serve_rounds(const workload& w, std::FILE* in, std::FILE* out);

/// The parent's side.
class child_contest {
 public:
  /// Starts `command`, a program with its arguments, on the first `cores` of the cores that this process may use, as
  /// the system numbers them, with GRIDSTRIDE_THREADS saying so; waits until it is warm. Throws bench::disagreement and
  /// gs::machine_error as the child's workload does, and gs::machine_error if the process ends, says something else or
  /// is silent for `patience` seconds.
  child_contest(const std::vector<std::string>& command, std::size_t cores, double patience = 300);

  /// One sample of every entrant.
  void round();

  std::size_t cores() const { return cores_; }
  const std::vector<entrant>& entrants() const { return entrants_; }

 private:
  // Returns the child's next line, which `speak` fetches.
  template <class Speak>
  std::string answer(Speak speak);

  std::size_t cores_;
  double patience_;
  peer_process child_;
  std::vector<entrant> entrants_;
};

/// One workload on growing numbers of cores.
struct scaling {
  struct workload workload;
  std::vector<std::size_t> cores;        ///< 1 first
  std::vector<std::vector<entrant>> on;  ///< for each number of cores, those that use all of them
  std::string skipped = {}, wrong = {};  ///< as in a row
};

/// 1, 2, ... `cores` up to 8; beyond, 1, 2, 4, ... and `cores`.
std::vector<std::size_t> core_counts(std::size_t cores);

/// Measures each workload on each number of cores, all side by side: a round takes one sample on each, in a new random
/// order. `command` starts the child that serves a workload.
std::vector<scaling> run_on_cores(const std::vector<workload>& workloads, const std::vector<std::size_t>& cores,
                                  const std::function<std::vector<std::string>(const workload&)>& command,
                                  const run_options& options, const std::function<void(const scaling&)>& end);

}  // namespace bench
