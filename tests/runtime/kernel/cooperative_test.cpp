// Cooperative launches: barriers of the whole grid.

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "runtime/gs.h"
#include "tests/runtime/refused.h"

// Rotates an array by one place, `rounds` times: every thread reads what another block wrote.
GS_FN void rotate_grid(gs::thread t, int rounds, gs::view<int> a, gs::view<int> b) {
  const std::size_t n = a.size(), i = t.grid();
  for (int r = 0; r < rounds; ++r) {
    if (i < n) b[i] = a[(i + 1) % n];
    t.grid_sync();
    if (i < n) a[i] = b[i];
    t.grid_sync();
  }
}
struct partial {
  gs::tile<int, 64> sum;
};
// Both barriers in turn: block sums, then one total that all read.
GS_FN void total_everywhere(gs::thread t, gs::shared<partial> s, gs::view<const int> x, gs::view<int> blocks,
                            gs::view<int> out) {
  const unsigned me = t.thread_rank();
  s->sum[me] = t.grid() < x.size() ? x[t.grid()] : 0;
  for (unsigned half = 32; half > 0; half /= 2) {
    t.sync();
    if (me < half) s->sum[me] += s->sum[me + half];
  }
  if (me == 0) blocks[t.block_rank()] = s->sum[0];
  t.grid_sync();
  int total = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) total += blocks[b];
  if (t.grid() < out.size()) out[t.grid()] = total;
}

namespace {

using runtime_test::refused;

TEST(cooperative, every_block_waits_for_every_other) {
  for (std::size_t grid : {1, 2, 7, 50}) {
    const std::size_t n = grid * 96 - 5;
    std::vector<int> x(n);
    std::iota(x.begin(), x.end(), 0);
    auto a = gs::to_device(x);
    gs::device_array<int> b(n);
    ASSERT_LE(grid, gs::cooperative_limit<rotate_grid>(96));
    gs::launch<rotate_grid>({.grid = grid, .block = 96, .cooperative = true}, 6, a, b);
    const auto result = a.copy_to_host();
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(result[i], static_cast<int>((i + 6) % n)) << grid << " blocks";
  }
}

TEST(cooperative, with_barriers_of_the_block_between) {
  std::vector<int> x(20 * 64 - 13);
  std::iota(x.begin(), x.end(), 1);
  gs::device_array<int> blocks(20), out(20 * 64);
  gs::launch<total_everywhere>({.grid = 20, .block = 64, .cooperative = true}, gs::to_device(x), blocks, out);
  EXPECT_EQ(out.copy_to_host(), std::vector<int>(20 * 64, std::accumulate(x.begin(), x.end(), 0)));
}

TEST(cooperative, the_grid_is_limited) {
  gs::device_array<int> a(1), b(1);
  const std::size_t most = gs::cooperative_limit<rotate_grid>(256);
  EXPECT_GT(most, 0u);
  EXPECT_TRUE(refused([&] { gs::launch<rotate_grid>({.grid = most + 1, .block = 256, .cooperative = true}, 1, a, b); },
                      {"a cooperative launch of rotate_grid with " + std::to_string(most + 1) + " blocks",
                       "holds " + std::to_string(most), "loop over the rest inside"}));
}

}  // namespace
