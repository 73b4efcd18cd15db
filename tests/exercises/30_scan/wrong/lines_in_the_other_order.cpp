// expect: first_then of 2y + 3 and 5y + 7: b
// Exercise 30: a scan, and two operations that you wouldn't take for sums. Fill in the marked places;
// ./gridstride check 30 says what is still missing.

#include "runtime/gs.h"

constexpr unsigned block_size = 128, warps = block_size / gs::warp_size;

// 1. The scan of a warp: lane k gets the values of lanes 0 to k, combined from left to right, by shuffles alone.
// t.shuffle_up(own, d) is the value of the lane d below; the first d lanes have no such lane and get their own.
template <auto combine, class T>
GS_FN T scan_of_warp([[maybe_unused]] const gs::thread& t, T own) {
  // Your turn.
  for (unsigned d = 1; d < gs::warp_size; d *= 2) {
    const T left = t.shuffle_up(own, d);
    if (t.lane() >= d) own = combine(left, own);
  }
  return own;
  // Until here.
}

// 2. A sensor sometimes delivers nothing. Each missing sample is to become the last one that came before it: a scan,
// with which operation? For two neighbouring pieces, it finds the last sample at their end.
struct sample {
  float value;
  unsigned present;  // 0: missing
};
GS_FN sample last_of([[maybe_unused]] sample left, [[maybe_unused]] sample right) {
  // Your turn.
  return right.present != 0 ? right : left;
  // Until here.
}

// 3. A low pass filter: y[i] = a[i] * y[i - 1] + b[i], where y[-1] = 0. Each y needs the one before, and yet it is a
// scan: not of numbers, but of what happens to a number, y -> a * y + b. What do two such steps do, first the left one,
// then the right one?
struct line {
  float a, b;
};
GS_FN line first_then([[maybe_unused]] line left, [[maybe_unused]] line right) {
  // Your turn.
  return {right.a * left.a, left.a * right.b + left.b};
  // Until here.
}

// What the checks run with them: one block goes over the array, 128 elements at a time.
template <class T>
struct for_warps {
  gs::tile<T, warps> ends;
};
template <auto combine, class T>
GS_FN void scan_all(gs::thread t, gs::shared<for_warps<T>> s, gs::view<const T> x, gs::view<T> out, T identity) {
  T before = identity;
  for (std::size_t begin = 0; begin < x.size(); begin += block_size) {
    const std::size_t i = begin + t.thread_rank();
    T own = scan_of_warp<combine>(t, i < x.size() ? x[i] : identity);
    if (t.lane() == gs::warp_size - 1) s->ends[t.warp()] = own;
    t.sync();
    for (unsigned w = 0; w < warps; ++w) {
      if (w == t.warp()) own = combine(before, own);
      before = combine(before, s->ends[w]);
    }
    if (i < x.size()) out[i] = own;
    t.sync();
  }
}
