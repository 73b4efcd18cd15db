#include "bench/report/evaluation.h"

#include <algorithm>

namespace bench {
namespace {

// The fastest entrant of a role; all ratios on the same hardware are taken against the same one.
std::optional<estimate> ratio_to(const entrant* best, const entrant& e, bool inverse) {
  if (!best || best == &e) return std::nullopt;
  return inverse ? paired_ratio(best->seconds, e.seconds) : paired_ratio(e.seconds, best->seconds);
}

std::optional<verdict> reached(const demand& wanted, const entrant& e, const entrant* peer, const entrant* limit) {
  if (wanted.measure == demand::in_seconds) return judge(estimate_median(e.seconds), wanted.at_most);
  const entrant* best = wanted.measure == demand::of_peer ? peer : limit;
  if (!best) return std::nullopt;
  return judge(paired_ratio(e.seconds, best->seconds), wanted.at_most);
}

}  // namespace

std::vector<statement> evaluate(const row& r) {
  std::vector<statement> statements;
  for (const entrant& e : r.entrants) {
    const entrant* peer = fastest(r.entrants, role::peer, e.hardware);
    const entrant* limit = fastest(r.entrants, role::limit, e.hardware);
    statement s{.entrant = &e, .seconds = summarize(e.seconds)};
    if (r.workload.elements > 0) s.elements = static_cast<double>(r.workload.elements) / s.seconds.median;
    if (r.workload.bytes > 0) s.gigabytes = r.workload.bytes / s.seconds.median / 1e9;
    if (r.workload.operations > 0 && e.role != role::limit)
      s.gigaflops = r.workload.operations / s.seconds.median / 1e9;
    s.of_limit = ratio_to(limit, e, true);
    s.over_peer = ratio_to(peer, e, false);
    if (const auto& wanted = r.workload.wanted_with(e.hardware); e.role == role::ours && wanted) {
      s.reached = reached(*wanted, e, peer, limit);
      if (s.reached) s.wanted = &*wanted;
    }
    statements.push_back(s);
  }
  return statements;
}

}  // namespace bench
