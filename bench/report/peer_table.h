#pragma once
// The closing table of a run with outside peers: who wins which workload.

#include <optional>
#include <string>
#include <vector>

#include "bench/measure/run.h"
#include "bench/measure/statistics.h"
#include "bench/report/run_record.h"

namespace bench {

/// Ours against the peers of one workload.
struct peer_comparison {
  const entrant* ours;                         ///< the fastest of ours
  std::vector<const entrant*> peers;           ///< the fastest of each, hand-written ones (program "") first
  const entrant* best;                         ///< of the peers
  estimate ratio;                              ///< our time / the best peer's, round by round
  enum { ours_wins, peer_wins, even } winner;  ///< even if the ratio's interval holds 1
};

/// None if the row has no entrant of ours or no outside peer.
std::optional<peer_comparison> compare_with_peers(const row& r);

/// A line per workload that an outside peer took part in, a column per peer in the order in which they first appear;
/// empty if there is none.
std::string peer_table_text(const std::vector<row>& rows);
/// The same with the best peer alone, as a table of Markdown, and below it the machine, the day and the peers'
/// versions.
std::string peer_table_markdown(const run_record& record);

}  // namespace bench
