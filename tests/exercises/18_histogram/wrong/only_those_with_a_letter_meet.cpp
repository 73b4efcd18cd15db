// expect: race in block
// Exercise 18: a formula to mend and a kernel to make faster; ./gridstride check 18 says what is still missing.

#include <cmath>
#include <cstdint>

#include "runtime/gs.h"

// 1. The bin of x among `bins` bins of equal width from low to high, 0 to bins - 1. A bin holds its lower edge and not
// its upper one. What lies in no bin, NaN included, is counted in slot `bins`. Somebody wrote this in a hurry.
// Your turn.
GS_FN unsigned slot_of(float x, float low, float high, unsigned bins) {
  const float position = (x - low) * static_cast<float>(bins) / (high - low);
  return position >= 0 && position < static_cast<float>(bins) ? static_cast<unsigned>(position) : bins;
}
// Until here.

// 2. How often each letter occurs in a text, whether small or capital; counts[26] is for everything else. Here all
// threads share 27 counters. Let each block have its own, and let it hand them in when it is done. The block may have
// any number of threads, also fewer than there are counters.
constexpr unsigned slots = 27;

struct counters {
  gs::tile<unsigned, slots> of;
};

GS_FN unsigned slot_of_letter(std::uint8_t c) {
  const auto letter = static_cast<unsigned>((c | 32) - 'a');  // small and capital letters differ by 32
  return letter < 26 ? letter : 26;
}

GS_FN void count_letters(gs::thread t, [[maybe_unused]] gs::shared<counters> own, gs::view<const std::uint8_t> text,
                         gs::view<unsigned> counts) {
  // Your turn.
  for (unsigned k = t.thread_rank(); k < slots; k += t.block_size()) own->of[k] = 0;
  t.sync();
  if (t.grid() < text.size()) {
    for (auto i : t.grid_stride(text.size())) gs::atomic_ref(own->of[slot_of_letter(text[i])]).fetch_add(1u);
    t.sync();
  }
  for (unsigned k = t.thread_rank(); k < slots; k += t.block_size()) gs::atomic_ref(counts[k]).fetch_add(own->of[k]);
  // Until here.
}
