#pragma once
// How the speed of a workload grows with the number of cores.

#include <string>
#include <vector>

#include "bench/measure/child_contest.h"
#include "bench/measure/statistics.h"

namespace bench {

/// One entrant on one number of cores.
struct scaled {
  std::size_t cores;
  const struct entrant* entrant;
  summary seconds;    ///< of one call
  estimate speedup;   ///< its time on one core / this time, round by round
  double efficiency;  ///< the speed-up over the number of cores
};

/// For each entrant, its results by number of cores. The scaling must outlive them.
std::vector<std::vector<scaled>> evaluate_scaling(const scaling& s);

/// For the terminal; nothing for a workload none of whose entrants uses more than one core.
std::string scaling_text(const scaling& s);

}  // namespace bench
