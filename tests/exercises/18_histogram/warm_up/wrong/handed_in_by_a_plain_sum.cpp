// expect: race between blocks
// Warm-up for 18: one counter of a block's own; ./gridstride check 18w says what is still missing.

#include <cstdint>

#include "runtime/gs.h"

struct counter {
  gs::tile<unsigned, 1> blanks;
};

// How many bytes of a text are blanks, added to count[0]. Here all threads meet at count[0]. Let the threads of a block
// count in own->blanks[0], which is theirs and has no value at first, and let one of them hand in the sum.
GS_FN void count_blanks(gs::thread t, [[maybe_unused]] gs::shared<counter> own, gs::view<const std::uint8_t> text,
                        gs::view<unsigned> count) {
  // Your turn.
  if (t.thread_rank() == 0) own->blanks[0] = 0;
  t.sync();
  for (auto i : t.grid_stride(text.size()))
    if (text[i] == ' ') gs::atomic_ref(own->blanks[0]).fetch_add(1u);
  t.sync();
  if (t.thread_rank() == 0) count[0] += own->blanks[0];
  // Until here.
}
