#pragma once
// The three programs of by_hand.cu, with gs.

#include <cstddef>
#include <vector>

#include "runtime/gs.h"

namespace with_gs {

constexpr unsigned block = 256;
constexpr unsigned bins = 16;
inline std::size_t blocks_for(std::size_t n) { return (n + block - 1) / block; }

// --- 1: add ----------------------------------------------------------------------------------------------------------

inline GS_FN void add(gs::thread t, gs::view<const float> x, gs::view<const float> y, gs::view<float> sum) {
  const std::size_t i = t.grid();
  if (i < sum.size()) sum[i] = x[i] + y[i];
}

inline std::vector<float> added(const std::vector<float>& x, const std::vector<float>& y) {
  const gs::device_array<float> sum(x.size());
  gs::launch<add>({.grid = blocks_for(x.size()), .block = block}, gs::to_device(x), gs::to_device(y), sum);
  return sum.copy_to_host();
}

// --- 2: the sum of each block's numbers, in shared memory ------------------------------------------------------------

struct shelf {
  gs::tile<float, block> part;
};

inline GS_FN void block_sums(gs::thread t, gs::shared<shelf> s, gs::view<const float> x, gs::view<float> sums) {
  const std::size_t i = t.grid();
  const unsigned rank = t.thread_rank();
  s->part[rank] = i < x.size() ? x[i] : 0;
  for (unsigned half = block / 2; half > 0; half /= 2) {
    t.sync();
    if (rank < half) s->part[rank] += s->part[rank + half];
  }
  if (rank == 0) sums[t.block_idx().x] = s->part[0];
}

inline std::vector<float> summed(const std::vector<float>& x) {
  const gs::device_array<float> sums(blocks_for(x.size()));
  gs::launch<block_sums>({.grid = sums.size(), .block = block}, gs::to_device(x), sums);
  return sums.copy_to_host();
}

// --- 3: a histogram of 0 to 1 ----------------------------------------------------------------------------------------

inline GS_FN void count(gs::thread t, gs::view<const float> x, gs::view<unsigned> counts) {
  const std::size_t i = t.grid();
  if (i < x.size()) gs::atomic_ref(counts[static_cast<unsigned>(x[i] * bins)]).fetch_add(1u);
}

inline std::vector<unsigned> counted(const std::vector<float>& x) {
  const auto counts = gs::to_device(std::vector<unsigned>(bins));
  gs::launch<count>({.grid = blocks_for(x.size()), .block = block}, gs::to_device(x), counts);
  return counts.copy_to_host();
}

// --- done ------------------------------------------------------------------------------------------------------------

}  // namespace with_gs
