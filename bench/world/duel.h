#pragma once
// A duel: a verb of gs::world() and the bare calls of MPI that do the same, timed by turns on all ranks.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "bench/measure/statistics.h"
#include "runtime/world/communicator.h"

namespace bench {

struct duel {
  std::string verb;
  std::size_t bytes;  ///< of a message, or of a rank's part
  std::function<void()> ours, bare;
  std::function<void()> begin_anew;  ///< before each of the two results that are compared
  std::function<std::vector<float>()> our_result, bare_result;
  double messages = 1;    ///< in turn, in a call
  bool is_judged = true;  ///< whether something is wanted of it
};

/// What a run of all duels has in common.
struct duel_rules {
  std::size_t rounds = 61;
  double seconds_of_a_sample = 1e-3;  ///< at least, of the bare calls
};

struct duel_result {
  std::string verb;
  std::size_t bytes;
  bool is_judged;
  std::size_t calls;               ///< in a sample
  std::vector<double> ours, bare;  ///< seconds of a call (of each of its messages), one for each round
};

/// On all ranks: throws gs::error if the two results differ on any of them. Times are those of the slowest rank.
duel_result fight(const duel& d, const duel_rules& rules, const gs::communicator& world);

/// From this size on, what ours takes more is judged as a part of the time, below it in seconds.
inline constexpr std::size_t large_message = 64 << 10;
inline constexpr double wanted_ratio = 1.05, wanted_difference = 0.5e-6;

/// Ours over bare for large messages and where nothing is wanted, else ours less bare in seconds: medians over rounds.
struct comparison {
  bool is_ratio;
  estimate value;
  verdict reached;
};
comparison compare(const duel_result& r);

}  // namespace bench
