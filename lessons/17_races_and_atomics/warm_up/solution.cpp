// Warm-up for 17: a number for everybody; ./gridstride check 17w says what is still missing.

#include "runtime/gs.h"

// Everybody who comes draws a number: 0, 1, 2 and so on, each of them once. `next` is a gs::atomic_ref to the number
// that comes next; it has load, store, fetch_add, exchange. Each of these is one step, and anybody may come in between
// two.
GS_FN unsigned draw_number(auto next) {
  // Your turn.
  return next.fetch_add(1u);
  //= const unsigned mine = next.load();
  //= next.store(mine + 1);
  //= return mine;
  // Until here.
}

// Each thread draws one.
GS_FN void draw(gs::thread t, gs::view<unsigned> next, gs::view<unsigned> numbers) {
  for (auto i : t.grid_stride(numbers.size())) numbers[i] = draw_number(gs::atomic_ref(next[0]));
}
