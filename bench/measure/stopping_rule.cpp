#include "bench/measure/stopping_rule.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "bench/measure/statistics.h"

namespace bench {

double uncertainty(const std::vector<entrant>& entrants) {
  const bool ours = std::ranges::any_of(entrants, [](const entrant& e) { return e.role == role::ours; });
  double widest = 0;
  for (const entrant& e : entrants) {
    if (ours && e.role != role::ours) continue;
    if (e.seconds.empty()) return std::numeric_limits<double>::infinity();
    const entrant* partner = fastest(entrants, role::peer, e.hardware);
    if (!partner) partner = fastest(entrants, role::limit, e.hardware);
    const estimate known = ours && partner ? paired_ratio(e.seconds, partner->seconds) : estimate_median(e.seconds);
    widest = std::max(widest, (known.high - known.low) / 2 / known.median);
  }
  return widest;
}

budget::budget(double seconds)
    : budget(seconds, [] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
      }) {}

double budget::left() const { return std::max(end_ - now_(), 0.0); }

}  // namespace bench
