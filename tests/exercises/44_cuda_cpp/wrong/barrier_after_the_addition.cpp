// expect: race in block
// Exercise 44: homework.cu with gs, ported line by line, bugs and all. Find them there (./gridstride inspect
// lessons/44_cuda_cpp/homework.cu) or here (./gridstride check 44), and mend them here.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "runtime/gs.h"

constexpr unsigned block_size = 256;
constexpr unsigned bins = 8;

// n positions, one or more, have n - 1 steps between them.
// Your turn.
GS_FN void steps_between(gs::thread t, gs::view<const float> position, gs::view<float> step) {
  const std::size_t i = t.grid();
  if (i < step.size()) step[i] = std::abs(position[i + 1] - position[i]);
}
// Until here.

struct shelf {
  gs::tile<float, block_size> part;
};

// Each block adds its steps up, in halves: 256 numbers become 128, 64, ... 1.
// Your turn.
GS_FN void block_sums(gs::thread t, gs::shared<shelf> s, gs::view<const float> step, gs::view<float> sums) {
  const std::size_t i = t.grid();
  const unsigned rank = t.thread_rank();
  s->part[rank] = i < step.size() ? step[i] : 0;
  for (unsigned half = block_size / 2; half > 0; half /= 2) {
    if (rank < half) s->part[rank] += s->part[rank + half];
    t.sync();
  }
  if (rank == 0) sums[t.block_idx().x] = s->part[0];
}
// Until here.

// A thread for each bin. Bin k has the steps from k to k + 1, the last one all that are longer, too.
GS_FN void count(gs::thread t, gs::view<const float> step, gs::view<unsigned> counts) {
  const unsigned bin = t.thread_rank();
  for (std::size_t k = 0; k < step.size(); ++k)
    if (std::min(bins - 1, static_cast<unsigned>(step[k])) == bin) ++counts[bin];
}

// On the host: the counts of all bins.
// Your turn.
inline std::vector<unsigned> counted(const gs::device_array<float>& step) {
  const auto counts = gs::to_device(std::vector<unsigned>(bins));
  gs::launch<count>({.grid = 1, .block = bins}, step, counts);
  return counts.copy_to_host();
}
// Until here.
