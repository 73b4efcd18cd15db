#include "runtime/instruments/timeline.h"

#if GRIDSTRIDE_CHECKED

#include <algorithm>

namespace gs::inline GS_FLAVOUR::instruments {

void timeline::next_phase() {
  ++now_;
  for (auto& warp : meetings_) warp.clear();
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
  acquired_.clear();
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
  meetings_.assign((launch.block.size() + 31) / 32, {});
  first_of_block_.clear();
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
  acquired_.clear();
}

void timeline::block_has_met() { next_phase(); }

void timeline::warp_has_met(unsigned warp, std::uint32_t mask) {
  if (warp >= meetings_.size()) return;
  const std::uint32_t time = meetings_[warp].empty() ? 1 : meetings_[warp].back().time + 1;
  meetings_[warp].push_back({time, mask});
  warp_time_ = warp_time_of(thread_);
}

void timeline::grid_has_met() {
  next_phase();
  interval_first_ = block_first_ = now_;
  handovers_.clear();
}

// Whether the lanes of both have met since.
bool timeline::met_in_warp(const mark& earlier) const {
  const unsigned warp = thread_ / 32;
  if (earlier.thread / 32 != warp || warp >= meetings_.size()) return false;
  const std::uint32_t both = std::uint32_t{1} << earlier.thread % 32 | std::uint32_t{1} << thread_ % 32;
  for (auto m = meetings_[warp].rbegin(); m != meetings_[warp].rend() && m->time > earlier.warp_time; ++m)
    if ((m->mask & both) == both) return true;
  return false;
}

bool timeline::comes_before(const mark& earlier) const {
  const queued_work& work = work_of(earlier.when).order;
  return works_.back().order.order.last_of(work.stream) >= work.order.last_of(work.stream);
}

void timeline::fence() {
  fences_of_thread& mine = fences_[thread_ & 1023];
  if (mine.last != now_) mine = {now_, 0};
  if (mine.count < 15) ++mine.count;
}

void timeline::hand_over(std::uintptr_t address) {
  const fences_of_thread& mine = fences_[thread_ & 1023];
  if (mine.last < block_first_) return;  // the block has seen no fence of this thread
  auto& released = handovers_[address].released;
  // What the whole block did before a barrier that came after the fence, and what this thread did before the fence.
  const phase whole = mine.last == now_ ? now_ : mine.last + 1;
  released.push_back({block_first_, whole, thread_, fences_by(thread_)});
  for (const acquisition& one : acquired_)  // what came to this block is handed on
    for (std::size_t i = 0; i < one.count; ++i)
      if (const release r = one.from->released[i]; one.from != &handovers_[address]) released.push_back(r);
}

void timeline::take_over(std::uintptr_t address) {
  const auto found = handovers_.find(address);
  if (found == handovers_.end() || found->second.released.empty()) return;
  acquired_.push_back({&found->second, found->second.released.size(), now_, thread_});
}

bool timeline::handed_over(const mark& earlier) const {
  for (const acquisition& one : acquired_) {
    if (one.when == now_ && one.thread != thread_) continue;  // another thread's, and no barrier since
    for (std::size_t i = 0; i < one.count; ++i) {
      const release& r = one.from->released[i];
      if (r.from > earlier.when || earlier.when > r.to) continue;
      if (earlier.when < r.to || (earlier.thread == r.thread && earlier.fences < r.fences)) return true;
    }
  }
  return false;
}

const timeline::work_record& timeline::work_of(phase when) const {
  const auto after = std::ranges::upper_bound(works_, when, {}, &work_record::first);
  return after == works_.begin() ? works_.front() : *std::prev(after);
}

std::size_t timeline::block_of(phase when) const {
  const auto after = std::ranges::upper_bound(runs_, when, {}, &block_run::first);
  return after == runs_.begin() ? 0 : std::prev(after)->block;
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
