// How threads come to their barriers, and lanes to the operations of their warp: what meets there may stand at
// different places of the source.

#include "runtime/instruments/monitor.h"

#if GRIDSTRIDE_CHECKED

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "runtime/engine/block_scheduler.h"

namespace gs::inline GS_FLAVOUR::instruments {

void monitor::arrive(unsigned thread, meeting_place at, const std::source_location& where, const void* frame) {
  const block_scheduler* scheduler = block_scheduler::running_here();
  const guarded_stack* stack = scheduler ? scheduler->stack_in_use() : nullptr;
  if (!stack || !wants(instrument::synccheck)) return;
  thread &= 1023;
  const own_work now(busy_);
  arrivals_[thread] = {sites.number_of(where), paths_.number_of(frame, reinterpret_cast<const void*>(bases_[thread]),
                                                                stack->bottom(), stack->top())};
  if (at == meeting_place::warp) return;
  // Threads at different barriers of their block never meet: the engine tells.
  const bool may_meet =
      met_.empty() || at == meeting_place::grid || arrivals_[met_[0]].where == arrivals_[thread].where;
  if (may_meet) compare_with_met(finding_kind::divergent_barrier, thread);
}

void monitor::forget_arrivals() { met_.clear(); }

void monitor::compare_lanes(unsigned warp, std::uint32_t mask) {
  if (!wants(instrument::synccheck)) return;
  const std::vector<unsigned> at_barrier = std::exchange(met_, {});
  for (std::uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1)
    compare_with_met(finding_kind::divergent_lanes, warp * 32 + static_cast<unsigned>(std::countr_zero(lanes)));
  met_ = at_barrier;
}

// Of those that come the same way, the first one counts.
void monitor::compare_with_met(finding_kind kind, unsigned thread) {
  const auto same_way = [&](unsigned other) {
    return arrivals_[other].where == arrivals_[thread].where && arrivals_[other].path == arrivals_[thread].path;
  };
  if (std::ranges::any_of(met_, same_way)) return;
  met_.push_back(thread);
  if (met_.size() > 1) stand_apart(kind, met_[0], thread);
}

// Writes down that the two have come to different places, or to one place by different calls: whether the calls differ
// in the source, or are one that the compiler has made several of, is seen at the end.
void monitor::stand_apart(finding_kind kind, unsigned thread, unsigned other) {
  const arrival &mine = arrivals_[thread], &its = arrivals_[other];
  const bool by_calls = mine.where == its.where;
  const site other_site = by_calls ? sites.number_of_text(fmt::format("paths {} {}", std::min(mine.path, its.path),
                                                                      std::max(mine.path, its.path)))
                                   : its.where;
  const finding_log::key key{kind, time_.work().kernel, mine.where, other_site};
  if (is_known(key)) return;
  const auto of = [&](unsigned number) {
    mark m = time_.now(unknown_site);
    m.thread = number & 1023;
    return who(m, access_kind::read);
  };
  finding f = describe_here(kind, access_kind::read);
  f.access = of(thread);
  f.other = of(other);
  const std::size_t number = log_.add(key, std::move(f));
  if (by_calls) forks_.push_back({number, mine.path, its.path});
}

void monitor::settle_forks() {
  if (forks_.empty()) return;
  const code_lines lines = paths_.find_lines();
  for (const fork& one : forks_) {
    finding& f = log_[one.finding];
    if (const auto calls = paths_.fork_of(one.path, one.other, lines))
      std::tie(f.access.where, f.other->where) = *calls;
    else
      f.count = 0;
  }
  forks_.clear();
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
