#pragma once
// How the cost of a workload grows with its size: exponents, and the sizes from which one way beats another.

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure/run.h"
#include "bench/measure/statistics.h"

namespace bench {

/// How the time of one entrant grows with the number of elements.
struct entrant_growth {
  std::string name;
  enum role role;
  power_law law;
};

/// From which number of elements on `winner`, ours, is faster than `other`: from a way on all cores to one on one core,
/// ours too, or a peer's where ours has none; from the fastest of ours to the fastest of an outside peer.
struct crossover {
  std::string winner, other;
  std::optional<double> about = {};  ///< where the ratio passes 1 between two sizes; nothing if the winner always wins
  double after = 0;  ///< the largest measured size at which the other is certainly faster; 0 if there is none
  double from = std::numeric_limits<double>::infinity();  ///< the smallest from which on the winner is; infinite: none
};

struct growth {
  std::vector<row> sizes;  ///< of one workload, smallest first; at least one
  std::vector<entrant_growth> entrants = {};
  std::vector<crossover> crossovers = {};
};

/// The growth of a workload's cost over several sizes. Sizes that were skipped or went wrong have no entrants and
/// don't count; an entrant needs two that do. "Certainly" refers to the whole 95 % interval of the ratio, which is
/// paired within each size.
growth evaluate_growth(std::vector<row> sizes);

/// The growth of each workload: the sizes that were measured side by side, and, from `rows`, its full size.
std::vector<growth> growths_of(std::vector<std::vector<row>> families, const std::vector<row>& rows);

}  // namespace bench
