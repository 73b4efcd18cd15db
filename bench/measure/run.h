#pragma once
// Running workloads under Google Benchmark.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "bench/measure/contest.h"
#include "bench/measure/workload.h"

namespace bench {

/// What came of a workload.
struct row {
  workload what;
  std::vector<entrant> entrants;           ///< with one sample per round; empty if it was skipped or went wrong
  std::string skipped;                     ///< why it wasn't run; empty if it was
  std::string wrong;                       ///< how the results disagree; empty if they don't
  std::vector<std::string> left_out = {};  ///< peers outside of this process that failed, and why
  double disturbed = 0;                    ///< share of all cores' time that other programs had meanwhile
};

/// The workloads in whose names the filter, a regular expression (ECMAScript), finds something; an empty one takes all.
/// Throws gs::error if it is no regular expression or finds none.
std::vector<workload> select(std::vector<workload> all, const std::string& filter);

/// Measures one workload after another, each in a benchmark of Google's library with `rounds` iterations.
/// `begin` is called before a workload, `end` after it with its row; `peers` are invited to every contest.
std::vector<row> run(const std::vector<workload>& workloads, std::size_t rounds,
                     const std::function<void(const workload&)>& begin, const std::function<void(const row&)>& end,
                     const std::vector<std::shared_ptr<outside_peer>>& peers = {});

}  // namespace bench
