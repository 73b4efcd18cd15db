// expect: by after_launches, 5 launches
// Exercise 20: random numbers. Fill in the marked places; ./gridstride check 20 says what is still missing.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/gs.h"

// 1. A die: 1, 2, 3, 4, 5 or 6, each as often as the others, and never anything else.
GS_FN int die(gs::random_state& state) {
  // Your turn.
  return static_cast<int>(gs::uniform_float32(state, gs::strict) * 6) + 1;
  // Until here.
}

GS_FN int step_of(gs::random_state& state) { return gs::uniform_float32(state) < 0.5f ? -1 : 1; }

// 2. There is a walker for each element of positions, and each has a state of its own. Let every walker make `steps`
// steps from where it stands, such that another launch goes on where this one ends. The grid may be too large.
GS_FN void walk(gs::thread t, gs::view<gs::random_state> states, std::uint32_t steps, gs::view<int> positions) {
  // Your turn.
  const std::size_t walker = t.grid();
  if (walker >= positions.size()) return;
  gs::random_state state = states[walker];
  int position = positions[walker];
  for (std::uint32_t k = 0; k < steps; ++k) position += step_of(state);
  positions[walker] = position;
  states[walker] = state;
  // Until here.
}

// 3. Where the walkers stand after `launches` launches of `steps` steps, if all begin at 0. Walker i draws from state
// i of this seed. Copy as little as possible.
std::vector<int> after_launches(std::size_t walkers, std::uint64_t seed, std::uint32_t steps, int launches) {
  const gs::launch_options shape{.grid = walkers / 64 + 1, .block = 64};
  // Your turn.
  const auto positions = gs::to_device(std::vector<int>(walkers, 0));
  for (int k = 0; k < launches; ++k) gs::launch<walk>(shape, gs::random_states(walkers, seed), steps, positions);
  return positions.copy_to_host();
  // Until here.
}
