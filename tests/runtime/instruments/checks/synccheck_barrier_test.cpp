// synccheck: barriers that part of the threads reach, and lanes that have returned.

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/runtime/instruments/verdicts.h"

namespace {

using namespace runtime_test;
using enum gs::finding_kind;

void sync_in_an_if(gs::thread t, gs::view<int> x) {
  if (t.thread_rank() < 7) t.sync();
  x[t.thread_rank()] = 1;
  t.sync();
  x[t.thread_rank()] += 1;
}
TEST(verdict_barrier, in_an_if) {
  const auto x = filled(32, 0);
  EXPECT_TRUE(verdict([&] { gs::launch<sync_in_an_if>({.grid = 3, .block = 32}, x); },
                      {{divergent_barrier, "< 7) t.sync()", "t.sync()", "", 3}},
                      all_instruments_but(gs::instrument::racecheck)));
}

void sync_in_both_branches(gs::thread t, gs::view<int> x) {
  if (t.thread_rank() % 2 == 0) {
    x[t.thread_rank()] = 1;
    t.sync();  // the even ones
  } else {
    t.sync();  // the odd ones
    x[t.thread_rank()] = 2;
  }
}
TEST(verdict_barrier, in_both_branches) {
  const auto x = filled(32, 0);
  EXPECT_TRUE(verdict([&] { gs::launch<sync_in_both_branches>({.block = 32}, x); },
                      {{divergent_barrier, "the even ones", "the odd ones", ""}}));
}

void sync_in_a_loop(gs::thread t, unsigned rounds, gs::view<int> x) {
  for (unsigned i = 0; i < rounds + t.thread_rank() / 16; ++i) t.sync();
  t.sync();
  x[t.thread_rank()] = 1;
}
TEST(verdict_barrier, in_loops_of_different_lengths) {
  const auto x = filled(32, 0);
  EXPECT_TRUE(verdict([&] { gs::launch<sync_in_a_loop>({.block = 32}, 2u, x); },
                      {{divergent_barrier, "t.sync();", "t.thread_rank() / 16; ++i) t.sync()", ""}}));
  EXPECT_TRUE(clean([&] { gs::launch<sync_in_a_loop>({.block = 16}, 2u, x); })) << "here all are of one length";
}

void sync_by_block(gs::thread t, gs::view<int> x) {
  if (t.block_idx().x % 2 == 0) t.sync();
  x[t.grid()] = 1;
}
TEST(verdict_barrier, in_an_if_that_the_whole_block_decides_alike) {
  const auto x = filled(64, 0);
  EXPECT_TRUE(clean([&] { gs::launch<sync_by_block>({.grid = 2, .block = 32}, x); }));
}

struct row {
  gs::tile<int, 64> a;
};
void leave_early(gs::thread t, gs::shared<row> s, gs::view<int> x) {
  const unsigned me = t.thread_rank(), n = static_cast<unsigned>(x.size());
  if (me >= n) return;
  s->a[me] = x[me];
  t.sync();
  x[me] = s->a[n - 1 - me];
}
TEST(verdict_barrier, after_an_early_return) {
  const auto x = filled(45, 0);
  EXPECT_TRUE(clean([&] { gs::launch<leave_early>({.block = 64}, x); }));
}

void warp_sync_against_sync(gs::thread t, gs::view<int> x) {
  if (t.lane() < 16)
    t.warp_sync();
  else
    t.sync();
  x[t.thread_rank()] = 1;
}
void halves_of_a_warp(gs::thread t, gs::view<int> x) {
  if (t.lane() < 16)
    t.warp_sync(0x0000ffffu);
  else
    t.warp_sync(0xffff0000u);
  x[t.thread_rank()] = 1;
}
void ballot_of_half_a_warp(gs::thread t, gs::view<int> x) {
  if (t.lane() < 16) x[t.thread_rank()] = static_cast<int>(t.ballot(true));
  t.warp_sync();
}
TEST(verdict_barrier, of_a_warp) {
  const auto x = filled(32, 0), x64 = filled(64, 0);
  EXPECT_TRUE(clean([&] { gs::launch<halves_of_a_warp>({.block = 32}, x); }));
  EXPECT_TRUE(verdict([&] { gs::launch<warp_sync_against_sync>({.block = 32}, x); },
                      {{divergent_barrier, "t.warp_sync();", "t.sync();", ""}}));
  EXPECT_TRUE(verdict([&] { gs::launch<ballot_of_half_a_warp>({.block = 64}, x64); },
                      {{divergent_lanes, "t.ballot(true)", "", ""}}));
}

void shuffle_after_return(gs::thread t, gs::view<const int> x, gs::view<int> y) {
  if (t.thread_rank() >= x.size()) return;
  y[t.thread_rank()] = t.shuffle_down(x[t.thread_rank()], 1u);
}
void shuffle_before_return(gs::thread t, gs::view<const int> x, gs::view<int> y) {
  const int mine = t.thread_rank() < x.size() ? x[t.thread_rank()] : 0;
  const int next = t.shuffle_down(mine, 1u);
  if (t.thread_rank() < x.size()) y[t.thread_rank()] = next;
}
TEST(verdict_barrier, values_of_lanes_that_have_returned) {
  const auto x = filled(20, 1), y = filled(20, 0);
  EXPECT_TRUE(clean([&] { gs::launch<shuffle_before_return>({.block = 32}, x, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<shuffle_after_return>({.block = 32}, x, y); },
                      {{exited_lane, "t.shuffle_down(x[t.thread_rank()], 1u)", "", ""}}));
}

void shuffle_in_half(gs::thread t, unsigned from, gs::view<int> y) {
  if (t.lane() < 16) y[t.lane()] = t.shuffle(static_cast<int>(t.lane()), from, 0x0000ffffu);
}
TEST(verdict_barrier, values_of_lanes_outside_the_mask) {
  const auto y = filled(16, 0);
  EXPECT_TRUE(clean([&] { gs::launch<shuffle_in_half>({.block = 32}, 3u, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<shuffle_in_half>({.block = 32}, 20u, y); },
                      {{exited_lane, "t.shuffle(static_cast<int>(t.lane()), from", "", "", 16}}));
}

void leave_before_grid_sync(gs::thread t, gs::view<int> x) {
  if (t.grid() >= x.size()) return;
  x[t.grid()] = 1;
  t.grid_sync();
  x[t.grid()] += 1;
}
void stay_for_grid_sync(gs::thread t, gs::view<int> x) {
  if (t.grid() < x.size()) x[t.grid()] = 1;
  t.grid_sync();
  if (t.grid() < x.size()) x[t.grid()] += 1;
}
TEST(verdict_barrier, return_before_a_barrier_of_the_grid) {
  const auto x = filled(50, 0);
  const gs::launch_options options{.grid = 2, .block = 32, .cooperative = true};
  EXPECT_TRUE(clean([&] { gs::launch<stay_for_grid_sync>(options, x); }));
  const auto result = gs::inspect([&] { gs::launch<leave_before_grid_sync>(options, x); }, all_instruments());
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, exit_before_grid_sync);
  EXPECT_EQ(result.findings[0].access.block.x, 1u);
  EXPECT_EQ(result.findings[0].access.thread.x, 18u) << "the first one that has returned";
}

void some_blocks_stay(gs::thread t, gs::view<int> x) {
  if (t.block_rank() == 1) return;
  t.grid_sync();
  x[t.grid()] = 1;
}
TEST(verdict_barrier, blocks_that_return_before_a_barrier_of_the_grid) {
  const auto x = filled(128, 0);
  const auto result = gs::inspect(
      [&] { gs::launch<some_blocks_stay>({.grid = 4, .block = 32, .cooperative = true}, x); }, all_instruments());
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.failure, nullptr);
  const gs::finding& f = result.findings[0];
  EXPECT_EQ(f.kind, exit_before_grid_sync);
  EXPECT_EQ(f.access.block.x, 1u);
  EXPECT_TRUE(f.access.kernel.ends_with("some_blocks_stay")) << f.access.kernel;
  EXPECT_GT(f.access.where.line, 0u);
}

void grid_sync_in_an_if(gs::thread t, gs::view<int> x) {
  if (t.thread_rank() < 16)
    t.grid_sync();
  else
    t.sync();
  x[t.grid()] = 1;
}
TEST(verdict_barrier, of_the_grid_against_that_of_the_block) {
  const auto x = filled(64, 0);
  EXPECT_TRUE(verdict([&] { gs::launch<grid_sync_in_an_if>({.grid = 2, .block = 32, .cooperative = true}, x); },
                      {{divergent_barrier, "t.grid_sync();", "t.sync();", "", 2}}));
}

}  // namespace
