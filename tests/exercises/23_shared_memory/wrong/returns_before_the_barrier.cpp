// expect: divergent barrier
// Exercise 23: shared memory, one kernel to write and one to repair; ./gridstride check 23 says what is still missing.

#include "runtime/gs.h"

constexpr unsigned piece = 64;  // numbers of a block, one for each of its threads

struct buffer {
  gs::tile<float, piece> of;
};

// 1. A stereo recording holds left and right samples in turn: l r l r l r. Sort each piece of 64: all lefts first, in
// their order, then all rights: l l l r r r. (The last piece may be shorter, and end with a left.) Reading every second
// number of memory would fetch twice what is wanted: let neighbours read and write neighbours, and do the rest in
// s->of.
GS_FN void sort_channels([[maybe_unused]] gs::thread t, [[maybe_unused]] gs::shared<buffer> s,
                         [[maybe_unused]] gs::view<const float> in, [[maybe_unused]] gs::view<float> out) {
  // Your turn.
  const std::size_t begin = piece * t.block_rank();
  const unsigned own = t.thread_rank();
  const unsigned count = in.size() - begin < piece ? static_cast<unsigned>(in.size() - begin) : piece;
  if (own >= count) return;
  s->of[own] = in[begin + own];
  t.sync();
  const unsigned lefts = (count + 1) / 2;
  out[begin + own] = s->of[own < lefts ? 2 * own : 2 * (own - lefts) + 1];
  // Until here.
}

// 2. The peak of each piece. Half of the threads compare their number with one of the other half, then half of those,
// until one is left. The idea is right. What is forgotten?
// Your turn.
GS_FN void peak_of_piece(gs::thread t, gs::shared<buffer> s, gs::view<const float> in, gs::view<float> peaks) {
  const unsigned own = t.thread_rank();
  s->of[own] = t.grid() < in.size() ? in[t.grid()] : 0;
  for (unsigned half = piece / 2; half > 0; half /= 2) {
    t.sync();
    if (own < half && s->of[own + half] > s->of[own]) s->of[own] = s->of[own + half];
  }
  if (own == 0) peaks[t.block_rank()] = s->of[0];
}
// Until here.
