// expect: seats sold at any moment when none is left
// Exercise 17: races and atomics. Fill in the marked places; ./gridstride check 17 says what is still missing.

#include <cmath>

#include "runtime/gs.h"

// 1. count[0] is 0 at first. Let it become the number of elements that lie above the limit.
GS_FN void count_above(gs::thread t, gs::view<const float> x, float limit, gs::view<unsigned> count) {
  for (auto i : t.grid_stride(x.size())) {
    // Your turn.
    if (x[i] > limit) gs::atomic_ref(count[0]).fetch_add(1u);
    // Until here.
  }
}

// 2. largest[0] is 0 at first. Let it become the largest of all |x[i]|.
GS_FN void largest_magnitude(gs::thread t, gs::view<const float> x, gs::view<float> largest) {
  for (auto i : t.grid_stride(x.size())) {
    // Your turn.
    gs::atomic_ref(largest[0]).fetch_max(std::abs(x[i]));
    // Until here.
  }
}

// 3. Many buyers, few seats. `sold` is a gs::atomic_ref to the number of seats sold so far. Take one more and return
// true, or return false if all are sold. It must never be more than `seats`, and no buyer may be turned away while
// there are seats left.
GS_FN bool take_seat(auto sold, unsigned seats) {
  // Your turn: use load and compare_exchange.
  if (sold.fetch_add(1) < seats) return true;
  sold.fetch_sub(1);
  return false;
  // Until here.
}

// Each thread is a buyer, and notes whether it has got a seat.
GS_FN void sell(gs::thread t, unsigned seats, gs::view<unsigned> sold, gs::view<unsigned> has_seat) {
  for (auto buyer : t.grid_stride(has_seat.size())) has_seat[buyer] = take_seat(gs::atomic_ref(sold[0]), seats);
}
