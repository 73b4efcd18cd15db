// expect: tickets[0] as the next launch gets it
// Exercise 28: the largest number and where it is, in one pass. Fill in the marked places; ./gridstride check 28 says
// what is still missing.

#include <limits>

#include "runtime/gs.h"

constexpr unsigned block_size = 128, warps = block_size / gs::warp_size;

struct candidate {
  float value;
  unsigned index;
};
GS_FN candidate no_candidate() { return {-std::numeric_limits<float>::infinity(), ~0u}; }  // any number is better

// 1. The better of two: the larger value, and of equal values the one with the smaller index. Only then is the result
// the same in whatever order threads meet. (No value is NaN.)
GS_FN candidate better([[maybe_unused]] candidate a, [[maybe_unused]] candidate b) {
  // Your turn.
  if (a.value != b.value) return a.value > b.value ? a : b;
  return a.index < b.index ? a : b;
  // Until here.
}

// 2. The best of the 32 lanes of a warp, in lane 0, without shared memory and without a barrier.
// t.shuffle_down(c, 4) is the candidate of the lane four further.
GS_FN candidate best_of_warp([[maybe_unused]] const gs::thread& t, candidate c) {
  // Your turn.
  for (unsigned below = gs::warp_size / 2; below > 0; below /= 2) c = better(c, t.shuffle_down(c, below));
  return c;
  // Until here.
}

struct bests_of_warps {
  gs::tile<candidate, warps> of;
  unsigned ticket;
};
// The best of a block, in thread 0.
GS_FN candidate best_of_block(const gs::thread& t, gs::shared<bests_of_warps> s, candidate c) {
  c = best_of_warp(t, c);
  if (t.lane() == 0) s->of[t.warp()] = c;
  t.sync();
  if (t.warp() > 0) return no_candidate();
  return best_of_warp(t, t.lane() < warps ? s->of[t.lane()] : no_candidate());
}

// 3. One launch: each block leaves its best in `left` and draws a ticket; the block with the last one puts the best of
// all into found[0]. The next launch gets the same `tickets`, which hold 0 before the first.
GS_FN void find_largest(gs::thread t, gs::shared<bests_of_warps> s, gs::view<const float> x, gs::view<candidate> left,
                        [[maybe_unused]] gs::view<unsigned> tickets, [[maybe_unused]] gs::view<candidate> found) {
  candidate own = no_candidate();
  for (auto i : t.grid_stride(x.size())) own = better(own, {x[i], static_cast<unsigned>(i)});
  own = best_of_block(t, s, own);
  if (t.thread_rank() == 0) left[t.block_rank()] = own;
  // Your turn.
  if (t.thread_rank() == 0) {
    t.device_fence();
    s->ticket = gs::atomic_ref(tickets[0]).fetch_add(1u);
  }
  t.sync();
  if (s->ticket + 1 < t.grid_dim().x) return;
  t.device_fence();
  candidate best = no_candidate();
  for (unsigned b = t.thread_rank(); b < t.grid_dim().x; b += block_size) best = better(best, left[b]);
  best = best_of_block(t, s, best);
  if (t.thread_rank() == 0) {
    found[0] = best;
  }
  // Until here.
}
