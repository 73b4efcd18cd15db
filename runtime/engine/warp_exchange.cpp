// What the lanes of a warp exchange: each comes with what it asks, and once all that it names have come, all get
// results.

#include <bit>

#include "runtime/core/error.h"
#include "runtime/engine/scheduler_details.h"

namespace gs::inline GS_FLAVOUR::detail {

using scheduling::bit, scheduling::same_place, scheduling::text;

fiber::change block_scheduler::arrive_at_warp(thread_loop& loop, unsigned thread, const warp_operation& operation) {
  const unsigned lane = thread % warp_lanes;
  instruments::leave_thread();
  if (!std::has_single_bit(operation.width) || operation.width > warp_lanes)
    throw error(fmt::format("a shuffle at {}", text(operation.where)),
                fmt::format("segments of {} lanes", operation.width), "use 1, 2, 4, 8, 16 or 32");
  if (operation.action != warp_action::active_mask && !(operation.mask & bit(lane)))
    throw error(fmt::format("an operation of a warp at {}", text(operation.where)),
                fmt::format("lane {} calls it with the mask {:#010x}, which doesn't name it", lane, operation.mask),
                "let only the lanes of the mask make the call");
  if (!waited_) begin_waiting();
  operations_[thread] = operation;
  return suspend(loop, thread, waits_for::warp, operation.where);
}

std::uint64_t block_scheduler::pass_warp(unsigned thread) const {
  go_on(thread);
  return waiting_[thread].result;
}

// Lets the lanes of one operation go on if all of them have come.
bool block_scheduler::resolve_warp(unsigned w) {
  warp_state& warp = warps_[w];
  const unsigned first = w * warp_lanes;
  for (std::uint32_t unseen = warp.in_operation; unseen != 0; unseen &= unseen - 1) {
    const auto leader = static_cast<unsigned>(std::countr_zero(unseen));
    const warp_operation& asked = operations_[first + leader];
    const bool whoever_is_there = asked.action == warp_action::active_mask;
    std::uint32_t present = 0;
    for (std::uint32_t others = warp.in_operation; others != 0; others &= others - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(others));
      const warp_operation& other = operations_[first + lane];
      if (other.action == asked.action && other.mask == asked.mask &&
          (!whoever_is_there || same_place(other.where, asked.where)))
        present |= bit(lane);
    }
    if (!whoever_is_there && (asked.mask & warp.live) != (present & asked.mask)) continue;
    for (std::uint32_t lanes = present; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      waiting_[first + lane].result = lane_result(first, lane, present);
    }
    warp.waiting &= ~present;
    warp.in_operation &= ~present;
    warp.runnable |= present;
    const bool orders = asked.action == warp_action::sync;
    instruments::warp_has_met(w, present, present == warp.live, orders, !orders && !whoever_is_there);
    return true;
  }
  return false;
}

std::uint64_t block_scheduler::lane_result(unsigned first, unsigned lane, std::uint32_t present) const {
  const warp_operation& mine = operations_[first + lane];
  const unsigned segment = lane & ~(mine.width - 1);
  const auto value_of = [&](unsigned source) {
    if (source < warp_lanes && (present & bit(source))) return operations_[first + source].value;
    instruments::read_of_absent_lane(first + lane, mine.where);
    return mine.value;
  };
  std::uint32_t alike = 0, voted = 0;
  for (std::uint32_t lanes = present; lanes != 0; lanes &= lanes - 1) {
    const auto other = static_cast<unsigned>(std::countr_zero(lanes));
    const std::uint64_t value = operations_[first + other].value;
    if (value == mine.value) alike |= bit(other);
    if (value != 0) voted |= bit(other);
  }
  switch (mine.action) {
    case warp_action::sync:
      return 0;
    case warp_action::active_mask:
      return present;
    case warp_action::ballot:
      return voted;
    case warp_action::match_any:
      return alike;
    case warp_action::match_all:
      return alike == present ? present : 0;
    case warp_action::shuffle:
      return value_of(segment + mine.operand % mine.width);
    case warp_action::shuffle_up:
      return mine.operand <= lane - segment ? value_of(lane - mine.operand) : mine.value;
    case warp_action::shuffle_down:
      return mine.operand < segment + mine.width - lane ? value_of(lane + mine.operand) : mine.value;
    case warp_action::shuffle_xor:
      return (lane ^ mine.operand) < segment + mine.width ? value_of(lane ^ mine.operand) : mine.value;
  }
  return 0;
}

}  // namespace gs::inline GS_FLAVOUR::detail
