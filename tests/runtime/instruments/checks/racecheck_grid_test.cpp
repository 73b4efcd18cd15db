// racecheck between the blocks of one launch: counters, stencils in place, fences, barriers of the grid.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "tests/runtime/instruments/verdicts.h"

namespace {

using namespace runtime_test;
using enum gs::finding_kind;

// --- counters --------------------------------------------------------------------------------------------------------

void count(gs::thread t, gs::view<int> n) {
  if (t.thread_rank() == 0) n[0] += 1;
}
void count_atomically(gs::thread t, gs::view<int> n) {
  if (t.thread_rank() == 0) gs::atomic_ref(n[0]).fetch_add(1);
}
TEST(verdict_grid, unsynchronised_counter) {
  const auto n = filled(1, 0);
  EXPECT_TRUE(verdict([&] { gs::launch<count>({.grid = 4, .block = 32}, n); },
                      {{race_between_blocks, "n[0] += 1", "n[0] += 1", "n[0]", 9}}));
  EXPECT_TRUE(clean([&] { gs::launch<count_atomically>({.grid = 4, .block = 32}, n); }));
}

void count_and_look(gs::thread t, gs::view<int> n, gs::view<int> seen) {
  gs::atomic_ref(n[0]).fetch_add(1);
  seen[t.grid()] = n[0];
}
void count_and_load(gs::thread t, gs::view<int> n, gs::view<int> seen) {
  gs::atomic_ref(n[0]).fetch_add(1);
  seen[t.grid()] = gs::atomic_ref(n[0]).load();
}
void store_and_load(gs::thread t, gs::view<int> n, gs::view<int> seen) {
  if (t.grid() == 5) gs::atomic_ref(n[0]).store(1);
  seen[t.grid()] = gs::atomic_ref(n[0]).load();
}
void write_and_load(gs::thread t, gs::view<int> n, gs::view<int> seen) {
  if (t.grid() == 5) n[0] = 1;
  seen[t.grid()] = gs::atomic_ref(n[0]).load();
}
TEST(verdict_grid, atomic_against_plain_accesses) {
  const auto n = filled(1, 0), seen = filled(8, 0);
  EXPECT_TRUE(clean([&] { gs::launch<count_and_load>({.grid = 8}, n, seen); }));
  EXPECT_TRUE(clean([&] { gs::launch<store_and_load>({.grid = 8}, n, seen); }));
  EXPECT_TRUE(
      verdict([&] { gs::launch<count_and_look>({.grid = 8}, n, seen); },
              {{race_between_blocks, "gs::atomic_ref(n[0]).fetch_add(1)", "seen[t.grid()] = n[0]", "n[0]", 13},
               {race_between_blocks, "seen[t.grid()] = n[0]", "gs::atomic_ref(n[0]).fetch_add(1)", "n[0]", 7}}));
  EXPECT_TRUE(verdict([&] { gs::launch<write_and_load>({.grid = 8}, n, seen); },
                      {{race_between_blocks, "n[0] = 1", "gs::atomic_ref(n[0]).load()", "n[0]", 2},
                       {race_between_blocks, "gs::atomic_ref(n[0]).load()", "n[0] = 1", "n[0]", 2}}));
}

void histogram(gs::thread t, gs::view<const int> x, gs::view<int> bins) {
  for (auto i : t.grid_stride(x.size())) ++bins[x[i]];
}
void histogram_atomically(gs::thread t, gs::view<const int> x, gs::view<int> bins) {
  for (auto i : t.grid_stride(x.size())) gs::atomic_ref(bins[x[i]]).fetch_add(1);
}
TEST(verdict_grid, histogram) {
  const auto x = filled(16, 2);
  const auto bins = filled(4, 0);
  EXPECT_TRUE(clean([&] { gs::launch<histogram_atomically>({.grid = 4, .block = 2}, x, bins); }));
  EXPECT_TRUE(verdict([&] { gs::launch<histogram>({.grid = 4, .block = 2}, x, bins); },
                      {{race_in_block, "++bins[x[i]]", "++bins[x[i]]", "bins[2]", 10},
                       {race_between_blocks, "++bins[x[i]]", "++bins[x[i]]", "bins[2]", 18}}));
}

// --- who has which element -------------------------------------------------------------------------------------------

void scale(gs::thread t, gs::view<float> x) {
  for (auto i : t.grid_stride(x.size())) x[i] *= 2;
}
void scale_with_stride_of_a_block(gs::thread t, gs::view<float> x) {
  for (std::size_t i = t.grid(); i < x.size(); i += t.block_size()) x[i] *= 2;
}
TEST(verdict_grid, grid_stride) {
  const auto x = filled(1009, 1.0f);
  EXPECT_TRUE(clean([&] { gs::launch<scale>({.grid = 3, .block = 32}, x); }));
  EXPECT_TRUE(clean([&] { gs::launch<scale_with_stride_of_a_block>({.grid = 1, .block = 32}, x); }));
  EXPECT_TRUE(verdict([&] { gs::launch<scale_with_stride_of_a_block>({.grid = 2, .block = 32}, x.slice(0, 96)); },
                      {{race_between_blocks, "x[i] *= 2", "x[i] *= 2", "x[32]", 192}}));
}

void scatter(gs::thread t, gs::view<const int> to, gs::view<int> y) { y[to[t.grid()]] = static_cast<int>(t.grid()); }
TEST(verdict_grid, scatter) {
  const auto y = filled(8, 0);
  const auto apart = gs::to_device(std::vector<int>{7, 6, 5, 4, 3, 2, 1, 0});
  const auto twice = gs::to_device(std::vector<int>{7, 6, 5, 4, 3, 2, 6, 0});
  EXPECT_TRUE(clean([&] { gs::launch<scatter>({.grid = 8}, apart, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<scatter>({.grid = 8}, twice, y); },
                      {{race_between_blocks, "void scatter", "void scatter", "y[6]", 1}}));
}

void mean_of_three(gs::thread t, gs::view<const float> x, gs::view<float> y) {
  const std::size_t i = t.grid();
  if (i > 0 && i + 1 < x.size()) y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3;
}
TEST(verdict_grid, stencil_over_one_and_two_arrays) {
  const auto x = filled(96, 1.0f), y = filled(96, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<mean_of_three>({.grid = 3, .block = 32}, x, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<mean_of_three>({.grid = 3, .block = 32}, x, x); },
                      {{race_in_block, "y[i] =", "x[i + 1]", "x[2]", 91},
                       {race_between_blocks, "y[i] =", "x[i + 1]", "x[32]", 2},
                       {race_in_block, "x[i - 1]", "y[i] =", "x[1]", 91},
                       {race_between_blocks, "x[i - 1]", "y[i] =", "x[31]", 2}}));
}

// A step of diffusion: a block loads its 8 x 8 cells and those around them, waits, and writes its cells.
struct halo {
  gs::tile<float, 10, 10> u;
};
void diffuse(gs::thread t, gs::shared<halo> s, gs::view<const float, 2> u, gs::view<float, 2> next) {
  const unsigned x = t.thread_idx().x, y = t.thread_idx().y;
  const std::size_t left = t.block_idx().x * 8, top = t.block_idx().y * 8;
  for (unsigned i = t.thread_rank(); i < 100; i += 64) {
    const std::size_t row = top + i / 10, column = left + i % 10;  // one further, since u has a margin
    s->u(i / 10, i % 10) = u(row, column);
  }
  t.sync();
  const float around = s->u(y, x + 1) + s->u(y + 2, x + 1) + s->u(y + 1, x) + s->u(y + 1, x + 2);
  next(top + y + 1, left + x + 1) = 0.6f * s->u(y + 1, x + 1) + 0.1f * around;
}
TEST(verdict_grid, diffusion_in_place) {
  const auto u = filled(18 * 18, 1.0f).reshape({18, 18}), next = filled(18 * 18, 1.0f).reshape({18, 18});
  EXPECT_TRUE(clean([&] { gs::launch<diffuse>({.grid = {2, 2}, .block = {8, 8}}, u, next); }));
  EXPECT_TRUE(clean([&] { gs::launch<diffuse>({.grid = {1, 1}, .block = {8, 8}}, u, u); })) << "a single block";
  EXPECT_TRUE(verdict([&] { gs::launch<diffuse>({.grid = {2, 2}, .block = {8, 8}}, u, u); },
                      {{race_between_blocks, "= u(row, column)", "next(top + y + 1", "u(7, 8)", 34},
                       {race_between_blocks, "next(top + y + 1", "= u(row, column)", "u(1, 9)", 31}}));
}

// --- flags and fences ------------------------------------------------------------------------------------------------

// What block 0 has computed, block 1 takes when it sees the flag. None of them waits for it.
void plain_flag(gs::thread t, gs::view<int> flag, gs::view<int> value) {
  if (t.block_idx().x == 0) {
    value[0] = 42;
    t.device_fence();
    flag[0] = 1;
  } else if (flag[0] == 1) {
    value[1] = value[0];
  }
}
void atomic_flag_without_fence(gs::thread t, gs::view<int> flag, gs::view<int> value) {
  if (t.block_idx().x == 0) {
    value[0] = 42;
    gs::atomic_ref(flag[0]).store(1);
  } else if (gs::atomic_ref(flag[0]).load() == 1) {
    value[1] = value[0];
  }
}
void atomic_flag(gs::thread t, gs::view<int> flag, gs::view<int> value) {
  if (t.block_idx().x == 0) {
    value[0] = 42;
    t.device_fence();
    gs::atomic_ref(flag[0]).store(1);
  } else if (gs::atomic_ref(flag[0]).load() == 1) {
    t.device_fence();
    value[1] = value[0];
  }
}
void fence_before_the_value(gs::thread t, gs::view<int> flag, gs::view<int> value) {
  if (t.block_idx().x == 0) {
    t.device_fence();
    value[0] = 42;
    gs::atomic_ref(flag[0]).store(1);
  } else if (gs::atomic_ref(flag[0]).load() == 1) {
    t.device_fence();
    value[1] = value[0];
  }
}
TEST(verdict_grid, flag_protocols) {
  const auto value = filled(2, 0);
  const auto with = [&](auto launch) {
    const auto flag = filled(1, 0);
    launch(flag);
  };
  EXPECT_TRUE(clean([&] { with([&](auto& flag) { gs::launch<atomic_flag>({.grid = 2}, flag, value); }); }));
  EXPECT_TRUE(verdict([&] { with([&](auto& flag) { gs::launch<plain_flag>({.grid = 2}, flag, value); }); },
                      {{race_between_blocks, "flag[0] == 1", "flag[0] = 1", "flag[0]"},
                       {race_between_blocks, "value[1] = value[0]", "value[0] = 42", "value[0]"}}));
  EXPECT_TRUE(
      verdict([&] { with([&](auto& flag) { gs::launch<atomic_flag_without_fence>({.grid = 2}, flag, value); }); },
              {{race_between_blocks, "value[1] = value[0]", "value[0] = 42", "value[0]"}}));
  EXPECT_TRUE(verdict([&] { with([&](auto& flag) { gs::launch<fence_before_the_value>({.grid = 2}, flag, value); }); },
                      {{race_between_blocks, "value[1] = value[0]", "value[0] = 42", "value[0]"}}));
}

// An atomic load only reads: it races with plain writes, and with nothing else.
template <int second>  // 0: a plain read, 1: a plain write, 2: an atomic addition
void load_beside(gs::thread t, gs::view<int> x, gs::view<int> y) {
  if (t.block_idx().x == 0)
    y[0] = gs::atomic_ref(x[0]).load();
  else if (second == 0)
    y[1] = x[0];
  else if (second == 1)
    x[0] = 2;
  else
    gs::atomic_ref(x[0]).fetch_add(1);
}
// Block 1's plain read races with block 3's addition; the atomic load between them doesn't hide it.
void load_between(gs::thread t, gs::view<int> x, gs::view<int> y) {
  if (t.block_idx().x == 1) y[1] = x[0];
  if (t.block_idx().x == 2) y[2] = gs::atomic_ref(x[0]).load();
  if (t.block_idx().x == 3) gs::atomic_ref(x[0]).fetch_add(1);
}
TEST(verdict_grid, atomic_loads) {
  const auto x = filled(1, 0), y = filled(4, 0);
  EXPECT_TRUE(clean([&] { gs::launch<load_beside<0>>({.grid = 2}, x, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<load_beside<1>>({.grid = 2}, x, y); },
                      {{race_between_blocks, "x[0] = 2", "y[0] = gs::atomic_ref(x[0]).load()", "x[0]"}}));
  EXPECT_TRUE(clean([&] { gs::launch<load_beside<2>>({.grid = 2}, x, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<load_between>({.grid = 4}, x, y); },
                      {{race_between_blocks, "gs::atomic_ref(x[0]).fetch_add(1)", "y[1] = x[0]", "x[0]"}}));
}

// Ranges that the standard library copies and sets: each block's own eight elements, or one more.
template <std::size_t count>
void copy_ranges(gs::thread t, gs::view<const float> x, gs::view<float> y) {
  const std::size_t first = 8 * t.grid();
  std::copy(&x[first], &x[first] + count, &y[first]);
}
template <std::size_t count>
void set_ranges(gs::thread t, gs::view<float> y) {
  std::memset(&y[8 * t.grid()], 0, count * sizeof(float));
}
TEST(verdict_grid, ranges_of_the_standard_library) {
  const auto x = filled(64, 1.0f), y = filled(64, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<copy_ranges<8>>({.grid = 4}, x, y); }));
  EXPECT_EQ(y.copy_to_host()[31], 1);
  EXPECT_FALSE(clean([&] { gs::launch<copy_ranges<9>>({.grid = 4}, x, y); }));
  EXPECT_TRUE(clean([&] { gs::launch<set_ranges<8>>({.grid = 4}, y); }));
  EXPECT_FALSE(clean([&] { gs::launch<set_ranges<9>>({.grid = 4}, y); }));
  const auto result = gs::inspect([&] {
                        const gs::device_array<float> nothing_wrote_it(64);
                        gs::launch<copy_ranges<8>>({.grid = 4}, nothing_wrote_it, y);
                      }).findings;
  std::uint64_t count =
      0;  // the first element of each range is found where its index is formed, the others at the call
  for (const gs::finding& f : result) {
    EXPECT_EQ(f.kind, gs::finding_kind::uninitialized_read);
    count += f.count;
  }
  EXPECT_EQ(count, 32u);
}

// CUDA's sample threadFenceReduction: the block that comes last sums what all blocks have written.
struct block_sum {
  gs::tile<float, 32> part;
  int is_last;
};
template <bool fence>
void sum_by_last_block(gs::thread t, gs::shared<block_sum> s, gs::view<const float> x, gs::view<float> partial,
                       gs::view<unsigned> done, gs::view<float> total) {
  const unsigned me = t.thread_rank();
  s->part[me] = x[t.grid()];
  for (unsigned half = 16; half > 0; half /= 2) {
    t.sync();
    if (me < half) s->part[me] += s->part[me + half];
  }
  if (me == 0) {
    partial[t.block_idx().x] = s->part[0];
    if (fence) t.device_fence();
    s->is_last = gs::atomic_ref(done[0]).fetch_inc(t.grid_dim().x - 1) == t.grid_dim().x - 1;
  }
  t.sync();
  if (!s->is_last) return;
  t.device_fence();  // behind the counter: it hands nothing over
  if (me == 0) {
    float sum = 0;
    for (std::size_t b = 0; b < partial.size(); ++b) sum += partial[b];
    total[0] = sum;
  }
}
TEST(verdict_grid, the_last_block_sums) {
  const auto x = filled(128, 1.0f), partial = filled(4, 0.0f), total = filled(1, 0.0f);
  const auto done = filled(1, 0u);
  EXPECT_TRUE(clean([&] { gs::launch<sum_by_last_block<true>>({.grid = 4, .block = 32}, x, partial, done, total); }));
  EXPECT_EQ(total.copy_to_host()[0], 128);
  EXPECT_TRUE(
      verdict([&] { gs::launch<sum_by_last_block<false>>({.grid = 4, .block = 32}, x, partial, done, total); },
              {{race_between_blocks, "sum += partial[b]", "partial[t.block_idx().x] = s->part[0]", "partial[0]", 3}}));
}

// All threads of a block write, then its first one counts the block.
void all_fence_then_one_counts(gs::thread t, gs::view<float> x, gs::view<unsigned> done) {
  x[t.grid()] = 1;
  t.device_fence();
  t.sync();
  if (t.thread_rank() == 0 && gs::atomic_ref(done[0]).fetch_add(1u) + 1 == t.grid_dim().x) x[0] = x[32] + x[63];
}
void fence_before_the_barrier_and_the_write(gs::thread t, gs::view<float> x, gs::view<unsigned> done) {
  t.device_fence();
  t.sync();
  x[t.grid()] = 1;
  if (t.thread_rank() == 0 && gs::atomic_ref(done[0]).fetch_add(1u) + 1 == t.grid_dim().x) x[32] = x[0];
}
TEST(verdict_grid, fences_and_barriers) {
  const auto x = filled(64, 0.0f);
  const auto done = filled(2, 0u);
  EXPECT_TRUE(clean([&] { gs::launch<all_fence_then_one_counts>({.grid = 2, .block = 32}, x, done.slice(0, 1)); }));
  EXPECT_TRUE(verdict(
      [&] { gs::launch<fence_before_the_barrier_and_the_write>({.grid = 2, .block = 32}, x, done.slice(1, 2)); },
      {{race_between_blocks, "x[32] = x[0]", "x[t.grid()] = 1", "x[32]"},
       {race_between_blocks, "x[32] = x[0]", "x[t.grid()] = 1", "x[0]"}}));
}

void sum_by_last_thread(gs::thread t, gs::view<float> partial, gs::view<unsigned> done, gs::view<float> total) {
  partial[t.grid()] = 1;
  t.device_fence();
  if (gs::atomic_ref(done[0]).fetch_add(1u) + 1 < partial.size()) return;
  float sum = 0;
  for (std::size_t i = 0; i < partial.size(); ++i) sum += partial[i];
  total[0] = sum;
}
TEST(verdict_grid, the_last_thread_sums) {
  const auto partial = filled(96, 0.0f), total = filled(1, 0.0f);
  const auto done = filled(1, 0u);
  EXPECT_TRUE(clean([&] { gs::launch<sum_by_last_thread>({.grid = 3, .block = 32}, partial, done, total); }));
}

template <bool fence>
void add_under_a_lock(gs::thread t, gs::view<int> lock, gs::view<float> sum) {
  if (t.thread_rank() != 0) return;
  while (gs::atomic_ref(lock[0]).compare_exchange(0, 1) != 0) {
  }
  if (fence) t.device_fence();
  sum[0] += 1;
  if (fence) t.device_fence();
  gs::atomic_ref(lock[0]).exchange(0);
}
TEST(verdict_grid, lock) {
  const auto lock = filled(1, 0);
  const auto sum = filled(1, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<add_under_a_lock<true>>({.grid = 5, .block = 4}, lock, sum); }));
  EXPECT_TRUE(verdict([&] { gs::launch<add_under_a_lock<false>>({.grid = 5, .block = 4}, lock, sum); },
                      {{race_between_blocks, "sum[0] += 1", "sum[0] += 1", "sum[0]", 12}}));
}

// Each block takes over from up to 32 blocks before it, as a scan with look-back does, and uses what the first one
// wrote.
template <bool fence>
void look_back(gs::thread t, gs::view<int> ready, gs::view<float> sum, gs::view<float> y) {
  const unsigned block = t.block_idx().x;
  if (block > t.lane()) {
    const unsigned before = block - 1 - t.lane();
    while (gs::atomic_ref(ready[before]).load() == 0) {
    }
    t.device_fence();
    y[t.grid()] = sum[before];
    y[t.grid()] += sum[0];
  }
  t.sync();
  if (t.lane() != 0) return;
  sum[block] = 1;
  if (fence) t.device_fence();
  gs::atomic_ref(ready[block]).store(1);
}
TEST(verdict_grid, look_back) {
  constexpr unsigned blocks = 80;
  const auto ready = filled(blocks, 0), ready_again = filled(blocks, 0);
  const auto sum = filled(blocks, 0.0f), y = filled(32 * blocks, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<look_back<true>>({.grid = blocks, .block = 32}, ready, sum, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<look_back<false>>({.grid = blocks, .block = 32}, ready_again, sum, y); },
                      {{race_between_blocks, "= sum[before]", "sum[block] = 1", "sum[0]", 0},
                       {race_between_blocks, "+= sum[0]", "sum[block] = 1", "sum[0]", 0}}));
}

// The last warp adds up what all have written: the other lanes' part goes through a barrier of the warp on either side.
template <bool before, bool after>
void last_warp(gs::thread t, gs::view<unsigned> done, gs::view<float> part, gs::view<float> y) {
  part[t.grid()] = 1;
  if (before) t.warp_sync();
  unsigned earlier = 0;
  if (t.lane() == 0) {
    t.device_fence();
    earlier = gs::atomic_ref(done[0]).fetch_add(1u);
  }
  earlier = t.shuffle(earlier, 0);
  if (after) t.warp_sync();
  if (earlier + 1 < t.gridsize() / 32) return;
  for (std::size_t i = t.lane(); i < t.gridsize(); i += 32) y[i] = part[i];
}
TEST(verdict_grid, last_warp) {
  const auto part = filled(192, 0.0f), y = filled(192, 0.0f);
  const auto launch = [&]<bool before, bool after> {
    gs::launch<last_warp<before, after>>({.grid = 3, .block = 64}, filled(1, 0u), part, y);
  };
  EXPECT_TRUE(clean([&] { launch.operator()<true, true>(); }));
  // 31 lanes of the own block's other warp, and those of 4 warps; without what follows the ticket, 31 readers know
  // nothing.
  EXPECT_TRUE(verdict([&] { launch.operator()<false, true>(); },
                      {{race_in_block, "y[i] = part[i]", "part[t.grid()] = 1", "part[129]", 31},
                       {race_between_blocks, "y[i] = part[i]", "part[t.grid()] = 1", "part[1]", 124}}));
  EXPECT_TRUE(verdict([&] { launch.operator()<true, false>(); },
                      {{race_in_block, "y[i] = part[i]", "part[t.grid()] = 1", "part[129]", 31},
                       {race_between_blocks, "y[i] = part[i]", "part[t.grid()] = 1", "part[1]", 124}}));
}

// --- barriers of the grid --------------------------------------------------------------------------------------------

void rotate(gs::thread t, bool wait, gs::view<const int> x, gs::view<int> y, gs::view<int> z) {
  y[t.grid()] = x[t.grid()];
  if (wait) t.grid_sync();
  z[t.grid()] = y[(t.grid() + 32) % y.size()];
}
TEST(verdict_grid, barrier_of_the_grid) {
  const auto x = filled(96, 0), y = filled(96, 0), z = filled(96, 0);
  const gs::launch_options options{.grid = 3, .block = 32, .cooperative = true};
  EXPECT_TRUE(clean([&] { gs::launch<rotate>(options, true, x, y, z); }));
  EXPECT_TRUE(verdict([&] { gs::launch<rotate>(options, false, x, y, z); },
                      {{race_between_blocks, "y[t.grid()] = x", "z[t.grid()] = y", "y[32]", 64},
                       {race_between_blocks, "z[t.grid()] = y", "y[t.grid()] = x", "y[0]", 32}}));
}

struct kept {
  int value;
};
void keep_over_grid_sync(gs::thread t, gs::shared<kept> s, gs::view<int> y) {
  if (t.thread_rank() == 0) s->value = static_cast<int>(t.block_idx().x);
  t.grid_sync();
  y[t.grid()] = s->value;
}
TEST(verdict_grid, shared_memory_stays_over_a_barrier_of_the_grid) {
  const auto y = filled(96, 0);
  EXPECT_TRUE(clean([&] { gs::launch<keep_over_grid_sync>({.grid = 3, .block = 32, .cooperative = true}, y); }));
}

TEST(verdict_grid, one_launch_after_the_other) {
  const auto x = filled(96, 1.0f), y = filled(96, 0.0f);
  EXPECT_TRUE(clean([&] {
    gs::launch<mean_of_three>({.grid = 3, .block = 32}, x, y);
    gs::launch<mean_of_three>({.grid = 3, .block = 32}, y, x);
    gs::launch<scale>({.grid = 2, .block = 32}, x);
  }));
}

}  // namespace
