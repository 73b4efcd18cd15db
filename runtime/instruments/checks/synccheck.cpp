// How threads come to their barriers, and lanes to the operations of their warp: what meets there may stand at
// different places of the source.

#include "runtime/instruments/checks/synccheck.h"

#if GRIDSTRIDE_CHECKED

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "runtime/engine/block_scheduler.h"

namespace gs::inline GS_FLAVOUR::instruments {

void synccheck::arrive(unsigned thread, meeting_place at, const std::source_location& where, const void* frame) {
  const detail::block_scheduler* scheduler = detail::block_scheduler::running_here();
  const detail::guarded_stack* stack = scheduler ? scheduler->stack_in_use() : nullptr;
  if (!stack) return;
  thread &= 1023;
  arrivals_[thread] = {
      observed_.sites.number_of(where),
      paths_.number_of(frame, reinterpret_cast<const void*>(observed_.bases[thread]), stack->bottom(), stack->top()),
      at};
  if (at == meeting_place::warp) return;
  // Threads at different barriers of their block never meet: the engine tells.
  const bool may_meet =
      met_.empty() || at == meeting_place::grid || arrivals_[met_[0]].where == arrivals_[thread].where;
  if (may_meet) compare_with_met(finding_kind::divergent_barrier, thread);
}

void synccheck::warp_has_met(unsigned warp, std::uint32_t mask, bool /*whole_warp*/, bool exchanges) {
  if (!exchanges) return;
  const std::vector<unsigned> at_barrier = std::exchange(met_, {});
  for (std::uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1)
    compare_with_met(finding_kind::divergent_lanes, warp * 32 + static_cast<unsigned>(std::countr_zero(lanes)));
  met_ = at_barrier;
}

// Of those that come the same way, the first one counts.
void synccheck::compare_with_met(finding_kind kind, unsigned thread) {
  const auto same_way = [&](unsigned other) {
    return arrivals_[other].where == arrivals_[thread].where && arrivals_[other].path == arrivals_[thread].path;
  };
  if (std::ranges::any_of(met_, same_way)) return;
  met_.push_back(thread);
  if (met_.size() > 1) stand_apart(kind, met_[0], thread);
}

// Writes down that the two have come to different places, or to one place by different calls: whether the calls differ
// in the source, or are one that the compiler has made several of, is seen at the end.
void synccheck::stand_apart(finding_kind kind, unsigned thread, unsigned other) {
  observation& o = observed_;
  const arrival &mine = arrivals_[thread], &its = arrivals_[other];
  const bool by_calls = mine.where == its.where;
  const site other_site = by_calls ? o.sites.number_of_text(fmt::format("paths {} {}", std::min(mine.path, its.path),
                                                                        std::max(mine.path, its.path)))
                                   : its.where;
  const finding_log::key key{kind, o.time.work().kernel, mine.where, other_site};
  if (o.is_known(key)) return;
  finding f = o.finding_here(kind, access_kind::read);
  f.access = o.thread_of_block(thread);
  f.other = o.thread_of_block(other);
  const std::size_t number = o.log.add(key, std::move(f));
  if (by_calls) forks_.push_back({number, mine.path, its.path});
}

void synccheck::settle() {
  if (forks_.empty()) return;
  const detail::code_lines lines = paths_.find_lines();
  for (const fork& one : forks_) {
    finding& f = observed_.log[one.finding];
    if (const auto calls = paths_.fork_of(one.path, one.other, lines))
      std::tie(f.access.where, f.other->where) = *calls;
    else
      f.count = 0;
  }
  forks_.clear();
}

void synccheck::divergent_barrier(const waiting_thread& one, const waiting_thread* other) {
  observation& o = observed_;
  const site where = o.sites.number_of(one.where);
  // Lanes that others of their warp leave waiting are at no barrier of the block, wherever those others wait in turn.
  const auto waits_for_lanes = [&](const waiting_thread& w) {
    const arrival& last = arrivals_[w.thread & 1023];
    return last.at == meeting_place::warp && last.where == o.sites.number_of(w.where);
  };
  const bool in_warp =
      waits_for_lanes(one) && (!other || (one.thread / 32 == other->thread / 32 && waits_for_lanes(*other)));
  if (in_warp) other = nullptr;
  const finding_kind kind = in_warp ? finding_kind::divergent_lanes : finding_kind::divergent_barrier;
  const finding_log::key key{kind, o.time.work().kernel, where, other ? o.sites.number_of(other->where) : unknown_site};
  if (o.is_known(key)) return;
  const auto of = [&](const waiting_thread& w) {
    finding_access a = o.thread_of_block(w.thread);
    a.where = place_of(w.where);
    return a;
  };
  finding f = o.finding_here(kind, access_kind::read);
  f.access = of(one);
  if (other) f.other = of(*other);
  o.log.add(key, std::move(f));
}

void synccheck::absent_lane_read(unsigned thread, const std::source_location& where) {
  observed_.report_thread(finding_kind::exited_lane, thread, where);
}

void synccheck::exit_before_grid_sync(unsigned thread, const std::source_location& where) {
  observed_.report_thread(finding_kind::exit_before_grid_sync, thread, where);
}

void synccheck::spins_on_plain_reads(std::uintptr_t address, site where) {
  observation& o = observed_;
  o.report(finding_kind::plain_spin, access_kind::read, where, address, o.indices.find(address),
           o.arena.contains(address) ? o.arena.find(address) : nullptr);
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
