#include "runtime/instruments/memory/timeline.h"

#if GRIDSTRIDE_CHECKED

#include <algorithm>
#include <bit>

namespace gs::inline GS_FLAVOUR::instruments {

void timeline::next_phase() {
  now_ = ++last_;
  if (blocks_alternate_) runs_.push_back({now_, block_});
  for (warp_record& warp : warps_) {
    warp.time = 0;
    warp.meetings.clear();
  }
  // What a thread has taken over, the block knows after a barrier.
  for (const auto& [thread, known] : of_thread_)
    for (const auto& [from, count] : known) learn(of_block_, from, count);
  of_thread_.clear();
  warp_time_ = 0;
}

void timeline::begin_work(const queued_work& work) {
  next_phase();
  works_.push_back({.first = now_, .order = work, .kernel = {}, .grid = {}, .block = {}});
  launch_first_ = interval_first_ = block_first_ = shared_first_ = now_;
  thread_ = 0;
  block_ = 0;
  in_launch_ = false;
  runs_.push_back({now_, 0});
  handovers_.clear();
  of_block_.clear();
  // Everything before the first piece of work of any stream that this one doesn't come after.
  settled_ = now_;
  for (const auto& [stream, runs] : of_stream_) {
    const auto first = std::ranges::upper_bound(runs, work.order.last_of(stream), {}, &stream_run::number);
    if (first != runs.end()) settled_ = std::min(settled_, first->first);
  }
  of_stream_[work.stream].push_back({work.order.last_of(work.stream), now_});
}

void timeline::begin_launch(const launch_description& launch) {
  works_.back().kernel = launch.kernel;
  works_.back().grid = launch.grid;
  works_.back().block = launch.block;
  works_.back().is_launch = true;
  warps_.assign((launch.block.size() + 31) / 32, {});
  first_of_block_.clear();
  aside_.clear();
  blocks_alternate_ = false;
  in_launch_ = true;
}

void timeline::enter_block(std::size_t number, bool goes_on) {
  next_phase();
  block_first_ = now_;
  block_ = number;
  thread_ = 0;
  runs_.push_back({now_, number});
  shared_first_ = goes_on ? first_of_block_[number] : now_;
  if (!goes_on) first_of_block_[number] = now_;
  of_block_.clear();
}

void timeline::set_block_aside() {
  const auto threads = static_cast<std::ptrdiff_t>(std::min(works_.back().block.size(), fences_.size()));
  blocks_alternate_ = true;
  aside_[block_] = {now_,   block_first_, shared_first_, thread_,
                    warps_, of_block_,    of_thread_,    {fences_.begin(), fences_.begin() + threads}};
}

// In the phase that it was in: what it has done there lies in no other. Its next one comes after all that were begun.
void timeline::go_back_to_block(std::size_t number) {
  const auto found = aside_.find(number);
  if (found == aside_.end()) return;
  block_aside& one = found->second;
  block_ = number;
  now_ = one.now;
  block_first_ = one.block_first;
  shared_first_ = one.shared_first;
  warps_ = std::move(one.warps);
  of_block_ = std::move(one.of_block);
  of_thread_ = std::move(one.of_thread);
  std::ranges::copy(one.fences, fences_.begin());
  enter_thread(one.thread);
  aside_.erase(found);
}

void timeline::block_has_met() { next_phase(); }

void timeline::warp_has_met(unsigned warp, std::uint32_t mask) {
  if (warp >= warps_.size()) return;
  warps_[warp].meetings.push_back({++warps_[warp].time, mask});
  warp_time_ = warp_time_of(thread_);
  // What one of the lanes has taken over, all of them know now.
  knowledge all;
  const auto each_lane = [&](const auto& visit) {
    for (std::uint32_t left = mask; left != 0; left &= left - 1)
      visit(warp * 32 + static_cast<unsigned>(std::countr_zero(left)));
  };
  each_lane([&](unsigned thread) {
    if (const auto own = of_thread_.find(thread); own != of_thread_.end())
      for (const auto& [from, count] : own->second) learn(all, from, count);
  });
  if (!all.empty()) each_lane([&](unsigned thread) { of_thread_[thread] = all; });
}

void timeline::grid_has_met() {
  next_phase();
  interval_first_ = block_first_ = now_;
  handovers_.clear();
  of_block_.clear();
}

// Whether the lanes of both have met since.
bool timeline::met_in_warp(const mark& earlier) const {
  const unsigned warp = thread_ / 32;
  if (earlier.thread / 32 != warp || warp >= warps_.size()) return false;
  const std::uint32_t both = std::uint32_t{1} << earlier.thread % 32 | std::uint32_t{1} << thread_ % 32;
  const std::vector<meeting>& met = warps_[warp].meetings;
  for (auto m = met.rbegin(); m != met.rend() && m->time > earlier.time; ++m)
    if ((m->mask & both) == both) return true;
  return false;
}

bool timeline::comes_before(const mark& earlier) const {
  const queued_work& work = work_of(earlier.when).order;
  return works_.back().order.order.last_of(work.stream) >= work.order.last_of(work.stream);
}

void timeline::fence(fence_scope scope) {
  fences_of_thread& mine = fences_[thread_ & 1023];
  if (const unsigned warp = thread_ / 32; warp < warps_.size()) warp_time_ = ++warps_[warp].time;
  mine.block = {.when = now_, .time = warp_time_};
  if (scope == fence_scope::device) mine.device = mine.block;
}

void timeline::hand_over(std::uintptr_t address) {
  const fences_of_thread& mine = fences_[thread_ & 1023];
  // A fence before this run of the block, by a thread of another block, says nothing.
  if (mine.device.when >= block_first_) {
    handover& here = handovers_[{address, 0}];
    hand_over(here, mine.device);
    auto& handed_to = runs_.back().handed_to;
    if (std::ranges::find(handed_to, &here) == handed_to.end()) handed_to.push_back(&here);
  }
  if (mine.block.when >= block_first_) hand_over(handovers_[{address, block_first_}], mine.block);
}

void timeline::hand_over(handover& here, const fence_record& fence) const {
  const std::size_t number = here.count;
  // What the whole block did before a barrier that came after the fence, and what this thread did before the fence.
  const bool in_this_phase = fence.when == now_;
  bool more = add(here.runs[block_first_], {number, in_this_phase ? now_ : fence.when + 1});
  if (in_this_phase) {
    more |= add(here.threads[{now_, thread_}], {number, fence.time});
    more |= hand_over_lanes(here, fence.time);
  }
  const auto pass_on = [&](const knowledge& known) {
    for (const auto& [from, count] : known)
      if (from != &here) more |= add(here.passed_on[from], {number, static_cast<std::uint32_t>(count)});
  };
  pass_on(of_block_);
  if (const auto own = of_thread_.find(thread_); own != of_thread_.end()) pass_on(own->second);
  here.count += more;
}

// What the lanes of the warp did before they last met this one: before its fence, or the first time after it.
bool timeline::hand_over_lanes(handover& here, std::uint32_t fenced_at) const {
  const unsigned warp = thread_ / 32;
  if (warp >= warps_.size()) return false;
  const std::vector<meeting>& met = warps_[warp].meetings;
  const auto first_after = std::ranges::upper_bound(met, fenced_at, {}, &meeting::time);
  const std::uint32_t me = std::uint32_t{1} << thread_ % 32;
  std::uint32_t left = ~me;
  bool more = false;
  for (auto m = first_after == met.end() ? first_after : first_after + 1; m != met.begin() && left != 0;) {
    --m;
    if (!(m->mask & me)) continue;
    for (std::uint32_t lanes = m->mask & left; lanes != 0; lanes &= lanes - 1)
      more |=
          add(here.lanes[{now_, warp * 32 + static_cast<unsigned>(std::countr_zero(lanes))}], {here.count, m->time});
    left &= ~m->mask;
  }
  return more;
}

void timeline::take_over(std::uintptr_t address) {
  for (const phase scope : {phase{0}, block_first_}) {
    const auto found = handovers_.find({address, scope});
    if (found != handovers_.end() && found->second.count > 0)
      learn(of_thread_[thread_], &found->second, found->second.count);
  }
}

// Looks through the addresses that the block and the thread know, then through those that had passed on to them, and
// so on. Each is looked at once, unless more of it becomes known.
bool timeline::handed_over(const mark& earlier) const {
  if (of_block_.empty() && of_thread_.empty()) return false;
  knowledge seen;
  std::vector<std::pair<const handover*, std::size_t>> next;
  const auto look_at = [&](const handover* from, std::size_t count) {
    std::size_t& known = seen[from];
    if (known >= count) return;
    known = count;
    next.emplace_back(from, count);
  };
  for (const auto& [from, count] : of_block_) look_at(from, count);
  if (const auto own = of_thread_.find(thread_); own != of_thread_.end())
    for (const auto& [from, count] : own->second) look_at(from, count);
  for (std::size_t i = 0; i < next.size(); ++i) {
    const auto [all, count] = next[i];
    if (covers(*all, count, earlier)) return true;
    for (const auto& [from, known] : all->passed_on) {
      const auto last = std::ranges::lower_bound(known, count, {}, &handed::number);
      if (last != known.begin()) look_at(from, std::prev(last)->limit);
    }
  }
  return false;
}

// False if it brings nothing new. Limits grow from one to the next.
bool timeline::add(std::vector<handed>& to, handed more) {
  if (!to.empty() && to.back().limit >= more.limit) return false;
  to.push_back(more);
  return true;
}

// Whether the first `count` handings over at an address hold the access, without what was passed on to it.
bool timeline::covers(const handover& all, std::size_t count, const mark& earlier) {
  const auto reaches = [&](const std::vector<handed>& some, std::uint32_t beyond) {
    const auto first = std::ranges::upper_bound(some, beyond, {}, &handed::limit);
    return first != some.end() && first->number < count;
  };
  const auto after = all.runs.upper_bound(earlier.when);
  if (after != all.runs.begin() && reaches(std::prev(after)->second, earlier.when)) return true;
  const std::pair thread(earlier.when, unsigned{earlier.thread});
  const auto own = all.threads.find(thread);
  if (own != all.threads.end() && reaches(own->second, earlier.time)) return true;
  const auto lane = all.lanes.find(thread);
  return lane != all.lanes.end() && reaches(lane->second, earlier.time);
}

void timeline::learn(knowledge& mine, const handover* from, std::size_t count) {
  std::size_t& known = mine[from];
  known = std::max(known, count);
}

const timeline::work_record& timeline::work_of(phase when) const {
  const auto after = std::ranges::upper_bound(works_, when, {}, &work_record::first);
  return after == works_.begin() ? works_.front() : *std::prev(after);
}

const timeline::block_run* timeline::run_of(phase when) const {
  const auto after = std::ranges::upper_bound(runs_, when, {}, &block_run::first);
  return after == runs_.begin() ? nullptr : &*std::prev(after);
}

std::size_t timeline::block_of(phase when) const {
  const block_run* run = run_of(when);
  return run ? run->block : 0;
}

bool timeline::left_behind(const mark& m) const {
  if (!in_this_interval(m) || in_this_block(m) || blocks_alternate_) return false;  // those aside haven't ended
  const block_run* run = run_of(m.when);
  return run && std::ranges::none_of(run->handed_to, [&](const handover* h) { return covers(*h, h->count, m); });
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
