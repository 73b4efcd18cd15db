// expect: name in the mask only those that do
// Exercise 29: what a warp can do without memory, and what it can't do without waiting. Fill in the marked places;
// ./gridstride check 29 says what is still missing.

#include "runtime/gs.h"

constexpr unsigned block_size = 64;

// 1. Some lanes have something to keep. How many of the lanes below this one have? All 32 lanes call it. t.ballot(keep)
// is a mask of those that keep, t.lanes_below() a mask of the lanes below, gs::popcount counts ones.
GS_FN unsigned place_among_kept([[maybe_unused]] const gs::thread& t, [[maybe_unused]] bool keep) {
  // Your turn.
  return static_cast<unsigned>(gs::popcount(t.ballot(keep) & t.lanes_below()));
  // Until here.
}

// 2. A histogram of keys, of which many are the same. As it stands each lane adds 1, and lanes with the same key queue.
// Let one lane add for all lanes of its warp that have the same key. t.match_any(key, mask) waits for the lanes of
// `mask`, and no others, and names those that have the same key; gs::find_first_set counts from 1.
GS_FN void count_keys(gs::thread t, gs::view<const unsigned> keys, gs::view<unsigned> counts) {
  for (std::size_t begin = t.grid() - t.lane(); begin < keys.size(); begin += t.gridsize()) {
    const std::size_t i = begin + t.lane();
    [[maybe_unused]] const std::uint32_t there = t.ballot(i < keys.size());
    if (i >= keys.size()) continue;
    // Your turn.
    const std::uint32_t alike = t.match_any(keys[i]);
    if (static_cast<int>(t.lane()) + 1 == gs::find_first_set(alike))
      gs::atomic_ref(counts[keys[i]]).fetch_add(static_cast<unsigned>(gs::popcount(alike)));
    // Until here.
  }
}

// 3. The numbers of each warp are turned round, by way of shared memory, twice: in the end they lie as before, each
// with 1 added on its way. Only lanes of one warp meet, so no barrier of the block is needed. What is?
struct buffer {
  gs::tile<float, block_size> of;
};
// Your turn.
GS_FN void there_and_back(gs::thread t, gs::shared<buffer> s, gs::view<float> x) {
  const unsigned own = t.thread_rank(), partner = own ^ (gs::warp_size - 1);
  float value = x[t.grid()];
  for (int turn = 0; turn < 2; ++turn) {
    s->of[own] = value;
    t.warp_sync();
    value = s->of[partner] + 0.5f;
    t.warp_sync();
  }
  x[t.grid()] = value;
}
// Until here.
