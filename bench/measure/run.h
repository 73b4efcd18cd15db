#pragma once
// Running workloads under Google Benchmark.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bench/measure/contest.h"
#include "bench/measure/stopping_rule.h"
#include "bench/measure/workload.h"

namespace bench {

/// The result of a workload.
struct row {
  struct workload workload;
  std::vector<entrant> entrants;           ///< with one sample per round; empty if it was skipped or went wrong
  std::string skipped;                     ///< why it wasn't run; empty if it was
  std::string wrong;                       ///< how the results disagree; empty if they don't
  std::vector<std::string> left_out = {};  ///< peers outside of this process that failed, and why
  double disturbed = 0;                    ///< share of all cores' time that other programs had meanwhile
};

/// The workloads in whose names the filter, a regular expression (ECMAScript), finds something; an empty one takes all.
/// Throws gs::error if it isn't a regular expression or finds none.
std::vector<workload> select(std::vector<workload> workloads, const std::string& filter);

/// The limits of a run, and callbacks for its progress.
struct run_options {
  stopping_rule rounds = {};
  /// Its remaining time is divided among the workloads; null: no limit. Once it is used up, outside peers are left out,
  /// and the rounds are as few as the rule allows.
  budget* time = nullptr;
  std::size_t others_after = 0;                           ///< the number of workloads that need a share after these
  std::vector<std::shared_ptr<outside_peer>> peers = {};  ///< invited to every contest
  bool judged = true;                                     ///< whether entrants are held to their demands
  std::function<void(const workload&)> begin = {};
  std::function<void(const row&)> end = {};
};

/// Measures one workload after another, each as a benchmark of Google's library.
std::vector<row> run(const std::vector<workload>& workloads, const run_options& options);

/// One workload at several sizes, smallest first. All have the same name.
using family = std::vector<workload>;

/// The families of those workloads.
std::vector<family> select(std::vector<family> families, const std::vector<workload>& chosen);

/// Measures one family after another, the sizes of each side by side: a round takes one sample of every entrant at
/// every size. `begin` and `end` are called for its largest size. A family left out for lack of time has `skipped`.
std::vector<std::vector<row>> run_families(const std::vector<family>& families, const run_options& options);

}  // namespace bench
