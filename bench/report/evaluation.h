#pragma once
// From samples to statements: rates, shares of the limit, ratios and verdicts.

#include <optional>
#include <string>
#include <vector>

#include "bench/measure/run.h"
#include "bench/measure/statistics.h"

namespace bench {

/// The results of one entrant of a row.
struct statement {
  const struct entrant* entrant;
  summary seconds;                         ///< of one call
  std::optional<double> elements = {};     ///< of the result, per second
  std::optional<double> gigabytes = {};    ///< 10^9 bytes per second
  std::optional<double> gigaflops = {};    ///< 10^9 floating-point operations per second
  std::optional<estimate> of_limit = {};   ///< the fastest limit's time / this time, round by round
  std::optional<estimate> over_peer = {};  ///< this time / the fastest peer's time, round by round
  const demand* wanted = nullptr;          ///< ours only, where there is something to compare with
  std::optional<verdict> reached = {};     ///< for entrants with a demand
};

/// One statement per entrant, in their order. The row must outlive them.
std::vector<statement> evaluate(const row& r);

}  // namespace bench
