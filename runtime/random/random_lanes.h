#pragma once
// random_lanes: several states of one thread, side by side, so that a loop over them fills the lanes of a vector
// register.

#include <cstddef>
#include <cstdint>

#include "runtime/array/view.h"
#include "runtime/core/config.h"
#include "runtime/random/random_state.h"

namespace gs::inline GS_FLAVOUR {

/// `Lanes` states, word by word. One state is a chain: each draw waits for the one before it. A thread with 32 of them
/// has 32 chains, and this loop is vectorised:
///   for (unsigned lane = 0; lane < 32; ++lane) {
///     gs::random_state state = random.get(lane);
///     sum[lane] += gs::uniform_float32(state);
///     random.set(lane, state);
///   }
/// A GPU has its lanes already, one thread in each: there one state a thread is enough.
template <unsigned Lanes>
class random_lanes {
 public:
  static constexpr unsigned size() { return Lanes; }  ///< how many states

  /// states[first], states[first + 1], ... in the first `count` lanes, 1 or more; lanes beyond repeat the last of them.
  GS_FN random_lanes(view<const random_state> states, std::size_t first, std::size_t count = Lanes) {
    for (unsigned lane = 0; lane < Lanes; ++lane) set(lane, states[first + (lane < count ? lane : count - 1)]);
  }
  /// Writes the states back to states[first], states[first + 1], ...
  GS_FN void store(view<random_state> states, std::size_t first) const {
    for (unsigned lane = 0; lane < Lanes; ++lane) states[first + lane] = get(lane);
  }

  GS_FN random_state get(unsigned lane) const { return {s0_[lane], s1_[lane]}; }  ///< the state in that lane
  /// Replaces the state in that lane.
  GS_FN void set(unsigned lane, random_state state) {
    s0_[lane] = state.s0;
    s1_[lane] = state.s1;
  }

 private:
  std::uint64_t s0_[Lanes], s1_[Lanes];
};

}  // namespace gs::inline GS_FLAVOUR
