#include "runtime/engine/turn_order.h"

#if GRIDSTRIDE_CHECKED

#include <algorithm>

namespace gs::inline GS_FLAVOUR::detail {

void turn_order::arrange(unsigned threads) {
  const instruments::run_order order = instruments::order_of_turns();
  if (arranged_ == order && arranged_threads_ == threads) return;
  arranged_ = order;
  arranged_threads_ = threads;
  turns_.clear();
  if (order.as_numbered()) return;
  const unsigned warps = (threads + warp_lanes - 1) / warp_lanes;
  turn_of_.resize(threads);
  warps_.resize(warps);
  turn_of_warp_.resize(warps);
  for (unsigned turn = 0; turn < warps; ++turn) {
    const auto w = static_cast<unsigned>(order.at(turn, warps));
    warps_[turn] = w;
    turn_of_warp_[w] = turn;
    const unsigned lanes = std::min(warp_lanes, threads - w * warp_lanes);
    for (unsigned k = 0; k < lanes; ++k) {
      const unsigned thread = w * warp_lanes + static_cast<unsigned>(order.at(k, lanes));
      turn_of_[thread] = static_cast<unsigned>(turns_.size());
      turns_.push_back(thread);
    }
  }
}

unsigned turn_order::first_of(unsigned w, std::uint32_t lanes) const {
  auto first = static_cast<unsigned>(std::countr_zero(lanes));
  if (turns_.empty()) return first;
  for (std::uint32_t left = lanes & (lanes - 1); left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (turn_of_[w * warp_lanes + lane] < turn_of_[w * warp_lanes + first]) first = lane;
  }
  return first;
}

}  // namespace gs::inline GS_FLAVOUR::detail

#endif
