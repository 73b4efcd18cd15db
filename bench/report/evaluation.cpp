#include "bench/report/evaluation.h"

#include <algorithm>

namespace bench {
namespace {

// The fastest entrant of a role; all ratios of a row are taken against the same one.
std::optional<estimate> ratio_to(const entrant* best, const entrant& e, bool inverse) {
  if (!best || best == &e) return std::nullopt;
  return inverse ? paired_ratio(best->seconds, e.seconds) : paired_ratio(e.seconds, best->seconds);
}

verdict reached(const demand& wanted, const entrant& e, const entrant* peer, const entrant* limit) {
  switch (wanted.measure) {
    case demand::of_peer:
      return judge(paired_ratio(e.seconds, peer->seconds), wanted.at_most);
    case demand::of_limit:
      return judge(paired_ratio(e.seconds, limit->seconds), wanted.at_most);
    case demand::in_seconds:
      break;
  }
  return judge(estimate_median(e.seconds), wanted.at_most);
}

}  // namespace

std::vector<statement> evaluate(const row& r) {
  const entrant* peer = fastest(r.entrants, role::peer);
  const entrant* limit = fastest(r.entrants, role::limit);
  std::vector<statement> all;
  for (const entrant& e : r.entrants) {
    statement s{.who = &e, .seconds = summarize(e.seconds)};
    if (r.what.elements > 0) s.elements = static_cast<double>(r.what.elements) / s.seconds.median;
    if (r.what.bytes > 0) s.gigabytes = r.what.bytes / s.seconds.median / 1e9;
    if (r.what.operations > 0 && e.role != role::limit) s.gigaflops = r.what.operations / s.seconds.median / 1e9;
    s.of_limit = ratio_to(limit, e, true);
    s.over_peer = ratio_to(peer, e, false);
    if (e.role == role::ours && r.what.wanted) s.reached = reached(*r.what.wanted, e, peer, limit);
    all.push_back(s);
  }
  return all;
}

}  // namespace bench
