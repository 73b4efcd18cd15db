#pragma once
// turn_order: whose turn it is among a block's threads. Mostly a thread's turn is its number. Where the instruments
// have them run in another order, it is warp after warp, and lane after lane of each.

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::detail {

#if GRIDSTRIDE_CHECKED

class turn_order {
 public:
  /// Before a block of so many threads.
  void arrange(unsigned threads);
  bool as_numbered() const { return turns_.empty(); }

  unsigned thread_at(unsigned turn) const { return turns_.empty() ? turn : turns_[turn]; }
  unsigned turn_of(unsigned thread) const { return turns_.empty() ? thread : turn_of_[thread]; }
  unsigned warp_at(unsigned turn) const { return turns_.empty() ? turn : warps_[turn]; }
  unsigned turn_of_warp(unsigned w) const { return turns_.empty() ? w : turn_of_warp_[w]; }
  /// The lane of warp `w` whose turn comes first, of those in the mask.
  unsigned first_of(unsigned w, std::uint32_t lanes) const;

 private:
  static constexpr unsigned warp_lanes = 32;

  std::optional<instruments::run_order> arranged_;  // what the next were made for
  unsigned arranged_threads_ = 0;
  std::vector<unsigned> turns_, turn_of_, warps_, turn_of_warp_;  // empty: as they are numbered
};

#else

class turn_order {
 public:
  static constexpr void arrange(unsigned /*threads*/) {}
  static constexpr bool as_numbered() { return true; }
  static constexpr unsigned thread_at(unsigned turn) { return turn; }
  static constexpr unsigned turn_of(unsigned thread) { return thread; }
  static constexpr unsigned warp_at(unsigned turn) { return turn; }
  static constexpr unsigned turn_of_warp(unsigned w) { return w; }
  static constexpr unsigned first_of(unsigned /*w*/, std::uint32_t lanes) {
    return static_cast<unsigned>(std::countr_zero(lanes));
  }
};

#endif

}  // namespace gs::inline GS_FLAVOUR::detail
