#pragma once
// stopping_rule: a contest ends when its result is precise enough, or its time is up.

#include <cstddef>
#include <functional>
#include <vector>

#include "bench/measure/contest.h"

namespace bench {

/// Rounds of a contest. It ends early only by the width of its intervals, never by their position: stopping as soon as
/// a demand seems met would find demands met that aren't. Intervals of the sign test with a width fixed beforehand keep
/// their confidence as they become narrow (Geertsema, "Sequential confidence intervals based on rank tests", Annals of
/// Mathematical Statistics 41, 1970).
struct stopping_rule {
  std::size_t least = 7, most = 101;  ///< under 6 samples have no interval of 95 %
  double narrow = 0.01;               ///< half an interval over its median, at which the result is precise enough

  /// Exactly that many rounds.
  static stopping_rule exactly(std::size_t rounds) { return {rounds, rounds, 0}; }

  /// After `rounds` rounds and `seconds` seconds of the `allowed` ones.
  bool ends(std::size_t rounds, double uncertainty, double seconds, double allowed) const {
    return rounds >= least && (rounds >= most || seconds >= allowed || uncertainty <= narrow);
  }
};

/// Half the width of the widest interval that is stated about ours, over its median: of the ratio to the fastest peer,
/// or to the fastest limit where there is no peer, or of the time. Without an entrant of ours, of everyone's time.
/// Infinite without samples.
double uncertainty(const std::vector<entrant>& entrants);

/// The time that a run may take, divided evenly: a part gets its share of the remaining time, so that time which
/// one part doesn't need goes to the others.
class budget {
 public:
  using clock = std::function<double()>;  ///< seconds since some moment
  explicit budget(double seconds);
  budget(double seconds, clock now) : now_(std::move(now)), end_(now_() + seconds) {}

  double left() const;  ///< seconds, never below zero
  double share(std::size_t parts_left) const { return left() / static_cast<double>(parts_left); }

 private:
  clock now_;
  double end_;
};

}  // namespace bench
