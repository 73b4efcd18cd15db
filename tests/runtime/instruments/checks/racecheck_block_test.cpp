// racecheck within a block: shared and global memory, barriers, warps, block style.

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>

#include "tests/runtime/instruments/verdicts.h"

namespace {

using namespace runtime_test;
using enum gs::finding_kind;

struct row {
  gs::tile<float, 64> a;
  float total;
};

// --- barriers --------------------------------------------------------------------------------------------------------

void rotate_without_sync(gs::thread t, gs::shared<row> s, gs::view<float> y) {
  s->a[t.thread_rank()] = 1;
  y[t.thread_rank()] = s->a[(t.thread_rank() + 1) % 64];
}
void rotate(gs::thread t, gs::shared<row> s, gs::view<float> y) {
  s->a[t.thread_rank()] = 1;
  t.sync();
  y[t.thread_rank()] = s->a[(t.thread_rank() + 1) % 64];
}
TEST(verdict_block, neighbour_in_shared_memory) {
  const auto y = filled(64, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<rotate>({.block = 64}, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<rotate_without_sync>({.block = 64}, y); },
                      {{race_in_block, "s->a[t.thread_rank()] = 1", "y[t.thread_rank()] = s->a", "[1]", 63},
                       {uninitialized_read, "y[t.thread_rank()] = s->a", "", "[1]", 63},
                       {race_in_block, "y[t.thread_rank()] = s->a", "s->a[t.thread_rank()] = 1", "[0]", 1}}));
}

void sum_without_sync(gs::thread t, gs::shared<row> s, gs::view<const float> x, gs::view<float> y) {
  const unsigned me = t.thread_rank();
  s->a[me] = x[me];
  t.sync();
  for (unsigned half = 32; half > 0; half /= 2)
    if (me < half) s->a[me] += s->a[me + half];
  if (me == 0) y[t.block_rank()] = s->a[0];
}
void sum(gs::thread t, gs::shared<row> s, gs::view<const float> x, gs::view<float> y) {
  const unsigned me = t.thread_rank();
  s->a[me] = x[me];
  for (unsigned half = 32; half > 0; half /= 2) {
    t.sync();
    if (me < half) s->a[me] += s->a[me + half];
  }
  if (me == 0) y[t.block_rank()] = s->a[0];
}
TEST(verdict_block, reduction_with_a_missing_barrier) {
  const auto x = filled(64, 1.0f), y = filled(4, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<sum>({.grid = 4, .block = 64}, x, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<sum_without_sync>({.grid = 4, .block = 64}, x, y); },
                      {{race_in_block, "s->a[me] += s->a[me + half]", "s->a[me] += s->a[me + half]", "[1]", 228}}));
}

void total_by_one(gs::thread t, gs::shared<row> s, gs::view<const float> x, gs::view<float> y) {
  s->a[t.thread_rank()] = x[t.thread_rank()];
  t.sync();
  if (t.thread_rank() == 0) {
    s->total = 0;
    for (int i = 0; i < 64; ++i) s->total += s->a[i];
  }
  y[t.thread_rank()] = s->a[t.thread_rank()] / s->total;
}
TEST(verdict_block, total_that_the_others_dont_wait_for) {
  const auto x = filled(64, 1.0f), y = filled(64, 0.0f);
  EXPECT_TRUE(verdict([&] { gs::launch<total_by_one>({.block = 64}, x, y); },
                      {{race_in_block, "s->total = 0", "/ s->total", "", 0},
                       {race_in_block, "/ s->total", "s->total += s->a[i]", "", 63}}));
}

// One tile after the other through the same shared memory.
void tiles_with_one_sync(gs::thread t, gs::shared<row> s, gs::view<const float> x, gs::view<float> y) {
  float sum = 0;
  for (std::size_t begin = 0; begin < x.size(); begin += 64) {
    s->a[t.thread_rank()] = x[begin + t.thread_rank()];
    t.sync();
    for (int i = 0; i < 64; ++i) sum += s->a[i];
  }
  y[t.thread_rank()] = sum;
}
void tiles(gs::thread t, gs::shared<row> s, gs::view<const float> x, gs::view<float> y) {
  float sum = 0;
  for (std::size_t begin = 0; begin < x.size(); begin += 64) {
    s->a[t.thread_rank()] = x[begin + t.thread_rank()];
    t.sync();
    for (int i = 0; i < 64; ++i) sum += s->a[i];
    t.sync();
  }
  y[t.thread_rank()] = sum;
}
TEST(verdict_block, shared_memory_that_is_filled_again) {
  const auto x = filled(192, 1.0f), y = filled(64, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<tiles>({.block = 64}, x, y); }));
  EXPECT_TRUE(clean([&] { gs::launch<tiles_with_one_sync>({.block = 64}, x.slice(0, 64), y); }))
      << "one round needs one barrier";
  EXPECT_TRUE(verdict([&] { gs::launch<tiles_with_one_sync>({.block = 64}, x, y); },
                      {{race_in_block, "s->a[t.thread_rank()] = x", "sum += s->a[i]", "[1]", 126},
                       {race_in_block, "sum += s->a[i]", "s->a[t.thread_rank()] = x", "[0]", 4032}}));
}

void votes_order(gs::thread t, gs::shared<row> s, gs::view<float> y) {
  const unsigned me = t.thread_rank();
  s->a[me] = 1;
  if (!t.sync_and(true)) return;
  const float next = s->a[(me + 1) % 64];
  if (t.sync_count(true) != 64) return;
  s->a[me] = next;
  if (!t.sync_or(true)) return;
  y[me] = s->a[63 - me];
}
TEST(verdict_block, barriers_with_a_vote) {
  const auto y = filled(64, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<votes_order>({.block = 64}, y); }));
}

void shift_in_place(gs::thread t, gs::view<float> x) {
  if (t.thread_rank() > 0) x[t.thread_rank()] = x[t.thread_rank() - 1];
}
void shift(gs::thread t, gs::view<float> x) {
  const float before = t.thread_rank() > 0 ? x[t.thread_rank() - 1] : 0;
  t.sync();
  x[t.thread_rank()] = before;
}
TEST(verdict_block, global_memory_within_a_block) {
  const auto x = filled(64, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<shift>({.block = 64}, x); }));
  EXPECT_TRUE(verdict([&] { gs::launch<shift_in_place>({.block = 64}, x); },
                      {{race_in_block, "x[t.thread_rank()] = x", "x[t.thread_rank()] = x", "x[1]", 62}}));
}

void rotate_dynamic(gs::thread t, gs::dynamic_shared<double> s, bool wait, gs::view<double> y) {
  s[t.thread_rank()] = y[t.thread_rank()];
  if (wait) t.sync();
  if (t.thread_rank() == 0) y[0] = s[1] + s[31];
}
TEST(verdict_block, dynamic_shared_memory) {
  const auto y = filled(32, 1.0);
  EXPECT_TRUE(clean([&] { gs::launch<rotate_dynamic>({.block = 32, .shared_bytes = 256}, true, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<rotate_dynamic>({.block = 32, .shared_bytes = 256}, false, y); },
                      {{race_in_block, "s[t.thread_rank()] = y", "s[1] + s[31]", "[1]"},
                       {race_in_block, "s[t.thread_rank()] = y", "s[1] + s[31]", "[31]"}},
                      all_instruments_but(gs::instrument::initcheck)));
}

// --- several threads, one element ------------------------------------------------------------------------------------

void raise_flag(gs::thread t, gs::view<const int> x, gs::view<int> found) {
  if (x[t.thread_rank()] > 0) found[0] = 1;
}
void last_position(gs::thread t, gs::view<const int> x, gs::view<int> found) {
  if (x[t.thread_rank()] > 0) found[0] = static_cast<int>(t.thread_rank());
}
TEST(verdict_block, writes_of_the_same_value) {
  const auto x = filled(32, 1);
  const auto found = filled(1, 0);
  const auto code = [&] { gs::launch<raise_flag>({.block = 32}, x, found); };
  EXPECT_TRUE(verdict(code, {{race_in_block, "found[0] = 1", "found[0] = 1", "found[0]", 31}}));
  EXPECT_TRUE(gs::inspect(code, all_instruments()).findings.at(0).same_value);
  gs::inspect_options harmless = all_instruments();
  harmless.same_value_races = false;
  EXPECT_TRUE(clean(code, harmless));
}
TEST(verdict_block, writes_of_different_values) {
  const auto x = filled(32, 1);
  const auto found = filled(1, 0);
  const auto code = [&] { gs::launch<last_position>({.block = 32}, x, found); };
  gs::inspect_options harmless = all_instruments();
  harmless.same_value_races = false;
  EXPECT_TRUE(
      verdict(code, {{race_in_block, "found[0] = static_cast", "found[0] = static_cast", "found[0]", 31}}, harmless));
  EXPECT_FALSE(gs::inspect(code, all_instruments()).findings.at(0).same_value);
}

struct bins {
  gs::tile<unsigned, 8> count;
};
void histogram(gs::thread t, gs::shared<bins> s, gs::view<const int> x, gs::view<unsigned> total) {
  if (t.thread_rank() < 8) s->count[t.thread_rank()] = 0;
  t.sync();
  for (auto i : t.grid_stride(x.size())) gs::atomic_ref(s->count[x[i]]).fetch_add(1u);
  t.sync();
  if (t.thread_rank() < 8) gs::atomic_ref(total[t.thread_rank()]).fetch_add(s->count[t.thread_rank()]);
}
void histogram_without_sync(gs::thread t, gs::shared<bins> s, gs::view<const int> x, gs::view<unsigned> total) {
  if (t.thread_rank() < 8) s->count[t.thread_rank()] = 0;
  for (auto i : t.grid_stride(x.size())) gs::atomic_ref(s->count[x[i]]).fetch_add(1u);
  t.sync();
  if (t.thread_rank() < 8) gs::atomic_ref(total[t.thread_rank()]).fetch_add(s->count[t.thread_rank()]);
}
void histogram_plain(gs::thread t, gs::shared<bins> s, gs::view<const int> x, gs::view<unsigned> total) {
  if (t.thread_rank() < 8) s->count[t.thread_rank()] = 0;
  t.sync();
  for (auto i : t.grid_stride(x.size())) ++s->count[x[i]];
  t.sync();
  if (t.thread_rank() < 8) gs::atomic_ref(total[t.thread_rank()]).fetch_add(s->count[t.thread_rank()]);
}
TEST(verdict_block, histogram_of_each_block) {
  const auto x = filled(128, 3);
  const auto total = filled(8, 0u);
  EXPECT_TRUE(clean([&] { gs::launch<histogram>({.grid = 2, .block = 32}, x, total); }));
  EXPECT_TRUE(
      verdict([&] { gs::launch<histogram_without_sync>({.grid = 2, .block = 32}, x, total); },
              {{race_in_block, "s->count[t.thread_rank()] = 0", "gs::atomic_ref(s->count[x[i]])", "[3]", 4},
               {uninitialized_read, "gs::atomic_ref(s->count[x[i]])", "", "[3]", 2},
               {race_in_block, "gs::atomic_ref(s->count[x[i]])", "s->count[t.thread_rank()] = 0", "[3]", 112}}));
  EXPECT_TRUE(verdict([&] { gs::launch<histogram_plain>({.grid = 2, .block = 32}, x, total); },
                      {{race_in_block, "++s->count[x[i]]", "++s->count[x[i]]", "[3]", 248}}));
}

struct private_bins {
  gs::tile<std::uint8_t, 32, 4> count;
};
void private_histogram(gs::thread t, gs::shared<private_bins> s, gs::view<const int> x, gs::view<int> total) {
  const unsigned me = t.thread_rank();
  for (int b = 0; b < 4; ++b) s->count(me, b) = 0;
  for (std::size_t i = me; i < x.size(); i += 32) ++s->count(me, x[i]);
  t.sync();
  if (me >= 4) return;
  int sum = 0;
  for (unsigned other = 0; other < 32; ++other) sum += s->count(other, me);
  total[me] = sum;
}
TEST(verdict_block, histogram_of_each_thread) {
  const auto x = filled(500, 2);
  const auto total = filled(4, 0);
  EXPECT_TRUE(clean([&] { gs::launch<private_histogram>({.block = 32}, x, total); }));
}

void bytes_side_by_side(gs::thread t, gs::view<std::uint8_t> x) {
  for (int round = 0; round < 3; ++round) ++x[t.thread_rank()];
}
void bytes_of_a_neighbour(gs::thread t, gs::view<std::uint8_t> x) { x[t.thread_rank()] = x[t.thread_rank() ^ 1u]; }
TEST(verdict_block, neighbouring_bytes) {
  const auto x = filled(64, std::uint8_t{1});
  EXPECT_TRUE(clean([&] { gs::launch<bytes_side_by_side>({.block = 64}, x); }));
  EXPECT_TRUE(verdict([&] { gs::launch<bytes_of_a_neighbour>({.block = 64}, x); },
                      {{race_in_block, "of_a_neighbour", "of_a_neighbour", "x[1]", 32},
                       {race_in_block, "of_a_neighbour", "of_a_neighbour", "x[0]", 32}}));
}

struct pair {
  int first, second;
};
void members_apart(gs::thread t, gs::view<pair> p) {
  if (t.thread_rank() % 2 == 0)
    p[t.thread_rank() / 2].first = 1;
  else
    p[t.thread_rank() / 2].second = 2;
}
void whole_and_member(gs::thread t, gs::view<pair> p) {
  if (t.thread_rank() % 2 == 0)
    p[t.thread_rank() / 2] = {1, 2};
  else
    p[t.thread_rank() / 2].second = 3;
}
TEST(verdict_block, members_of_a_struct) {
  const auto p = filled(16, pair{});
  EXPECT_TRUE(clean([&] { gs::launch<members_apart>({.block = 32}, p); }));
  EXPECT_TRUE(verdict([&] { gs::launch<whole_and_member>({.block = 32}, p); },
                      {{race_in_block, ".second = 3", "= {1, 2}", "p[0]", 16}}));
}

void conjugate(gs::thread t, gs::view<std::complex<float>> z, unsigned from) {
  z[t.thread_rank()] = std::conj(z[(t.thread_rank() + from) % 32]);
}
TEST(verdict_block, complex_numbers) {
  const auto z = filled(32, std::complex<float>{1, 2});
  EXPECT_TRUE(clean([&] { gs::launch<conjugate>({.block = 32}, z, 0u); }));
  EXPECT_TRUE(verdict([&] { gs::launch<conjugate>({.block = 32}, z, 1u); },
                      {{race_in_block, "std::conj(z[", "std::conj(z[", "z[1]", 62},
                       {race_in_block, "std::conj(z[", "std::conj(z[", "z[0]", 2}}))
      << "real and imaginary parts";
}

void by_column(gs::thread t, gs::view<double, 2> a) { a(t.thread_idx().y, t.thread_idx().x) += 1; }
void by_column_only(gs::thread t, gs::view<double, 2> a) { a(0, t.thread_idx().x) += 1; }
void by_cell(gs::thread t, gs::view<double, 3> a) { a(t.grid_z(), t.grid_y(), t.grid_x()) += 1; }
TEST(verdict_block, blocks_of_two_and_three_dimensions) {
  const auto a = filled(64, 0.0);
  EXPECT_TRUE(clean([&] { gs::launch<by_column>({.block = {16, 4}}, a.reshape({4, 16})); }));
  EXPECT_TRUE(clean([&] { gs::launch<by_cell>({.grid = {2, 1, 2}, .block = {2, 4, 2}}, a.reshape({4, 4, 4})); }));
  EXPECT_TRUE(verdict([&] { gs::launch<by_column_only>({.block = {16, 4}}, a.reshape({4, 16})); },
                      {{race_in_block, "a(0, t.thread_idx().x) += 1", "by_column_only", "a(0, 0)", 144}}));
}

// --- warps -----------------------------------------------------------------------------------------------------------

void warp_sum_without_sync(gs::thread t, gs::shared<row> s, gs::view<float> y) {
  const unsigned me = t.thread_rank();
  s->a[me] = y[me];
  t.sync();
  for (unsigned half = 16; half > 0; half /= 2)
    if (t.lane() < half) s->a[me] += s->a[me + half];
  y[me] = s->a[me];
}
void warp_sum(gs::thread t, gs::shared<row> s, gs::view<float> y) {
  const unsigned me = t.thread_rank();
  s->a[me] = y[me];
  for (unsigned half = 16; half > 0; half /= 2) {
    t.warp_sync();
    if (t.lane() < half) s->a[me] += s->a[me + half];
  }
  y[me] = s->a[me];
}
TEST(verdict_block, warp_synchronous_code) {
  const auto y = filled(64, 1.0f);
  EXPECT_TRUE(clean([&] { gs::launch<warp_sum>({.block = 64}, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<warp_sum_without_sync>({.block = 64}, y); },
                      {{race_in_block, "s->a[me] += s->a[me + half]", "s->a[me] += s->a[me + half]", "[1]", 52}}));
}

void other_warp(gs::thread t, gs::shared<row> s, gs::view<float> y) {
  s->a[t.thread_rank()] = 1;
  t.warp_sync();
  y[t.thread_rank()] = s->a[63 - t.thread_rank()];
}
TEST(verdict_block, a_barrier_of_the_warp_doesnt_reach_other_warps) {
  const auto y = filled(64, 0.0f);
  EXPECT_TRUE(verdict([&] { gs::launch<other_warp>({.block = 64}, y); },
                      {{race_in_block, "s->a[t.thread_rank()] = 1", "s->a[63 - t.thread_rank()]", "[32]", 32},
                       {race_in_block, "s->a[63 - t.thread_rank()]", "s->a[t.thread_rank()] = 1", "[31]", 32}},
                      all_instruments_but(gs::instrument::initcheck)));
}

void half_warps(gs::thread t, gs::shared<row> s, unsigned from, gs::view<float> y) {
  const std::uint32_t half = t.lane() < 16 ? 0x0000ffffu : 0xffff0000u;
  s->a[t.thread_rank()] = 1;
  t.warp_sync(half);
  y[t.thread_rank()] = s->a[t.thread_rank() ^ from];
}
TEST(verdict_block, barriers_of_half_a_warp) {
  const auto y = filled(32, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<half_warps>({.block = 32}, 8u, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<half_warps>({.block = 32}, 16u, y); },
                      {{race_in_block, "s->a[t.thread_rank() ^ from]", "s->a[t.thread_rank()] = 1", "[16]", 32}},
                      all_instruments_but(gs::instrument::initcheck)));
}

void shuffle_sum(gs::thread t, gs::view<const float> x, gs::view<float> y) {
  float sum = x[t.thread_rank()];
  for (unsigned distance = 16; distance > 0; distance /= 2) sum += t.shuffle_down(sum, distance);
  if (t.lane() == 0) y[t.warp()] = sum;
}
void shuffle_as_barrier(gs::thread t, gs::shared<row> s, gs::view<float> y) {
  s->a[t.lane()] = 1;
  const unsigned from = t.shuffle_xor(t.lane(), 1u);
  y[t.lane()] = s->a[from];
}
TEST(verdict_block, shuffles) {
  const auto x = filled(64, 1.0f), y = filled(32, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<shuffle_sum>({.block = 64}, x, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<shuffle_as_barrier>({.block = 32}, y); },
                      {{race_in_block, "y[t.lane()] = s->a[from]", "s->a[t.lane()] = 1", "[1]", 32}}))
      << "they order no memory";
}

// --- block style -----------------------------------------------------------------------------------------------------

void each_reads_its_own_round(gs::block<32> block, gs::shared<row> s, gs::view<float> y) {
  block.each([&](auto t) {
    s->a[t.x] = 1;
    y[t.x] = s->a[31 - t.x];
  });
}
void each_reads_the_round_before(gs::block<32> block, gs::shared<row> s, gs::view<float> y) {
  block.each([&](auto t) { s->a[t.x] = 1; });
  block.each([&](auto t) { y[t.x] = s->a[31 - t.x]; });
}
TEST(verdict_block, each_that_reads_what_another_thread_writes) {
  const auto y = filled(32, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<each_reads_the_round_before>({}, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<each_reads_its_own_round>({}, y); },
                      {{race_in_block, "s->a[t.x] = 1", "y[t.x] = s->a[31 - t.x]", "[16]", 16},
                       {race_in_block, "y[t.x] = s->a[31 - t.x]", "s->a[t.x] = 1", "[15]", 16}},
                      all_instruments_but(gs::instrument::initcheck)));
}

struct square {
  gs::tile<float, 8, 8> a;
};
void kept_by_each_thread(gs::block<8, 8> block, gs::shared<square> s, gs::view<const float, 2> x,
                         gs::view<float, 2> y) {
  gs::per_thread sum(block, 0.0f);
  for (std::size_t begin = 0; begin < x.extent(1); begin += 8) {
    block.each([&](auto t) { s->a(t.y, t.x) = x(t.grid_y(), begin + t.x); });
    block.each([&](auto t) {
      for (unsigned k = 0; k < 8; ++k) sum[t] += s->a(t.y, k) * s->a(k, t.x);
    });
  }
  block.each([&](auto t) { y(t.grid_y(), t.grid_x()) = sum[t]; });
}
TEST(verdict_block, per_thread) {
  const auto x = filled(256, 1.0f).reshape({8, 32});
  const auto y = filled(64, 0.0f).reshape({8, 8});
  EXPECT_TRUE(clean([&] { gs::launch<kept_by_each_thread>({}, x, y); }));
}
TEST(verdict_block, copies_after_a_launch_are_outside_of_no_each) {
  const auto x = filled(256, 1.0f).reshape({8, 32});
  auto y = filled(64, 0.0f).reshape({8, 8});
  EXPECT_TRUE(clean([&] {
    gs::launch<kept_by_each_thread>({}, x, y);
    y.copy_from_host(std::vector<float>(64));
    EXPECT_EQ(gs::to_device(std::vector<float>(64, 2.0f)).copy_to_host()[63], 2.0f);
  }));
}

void each_of_fills(gs::block<32> block, gs::shared<row> s, gs::view<float> y) {
  block.each_of(64, [&](std::size_t i) { s->a[i] = static_cast<float>(i); });
  block.each([&](auto t) { y[t.x] = s->a[2 * t.x + 1]; });
}
void each_of_overlaps(gs::block<32> block, gs::shared<row> s, gs::view<float> y) {
  block.each_of(64, [&](std::size_t i) { s->a[i / 2] = static_cast<float>(i); });
  block.each([&](auto t) { y[t.x] = s->a[t.x]; });
}
TEST(verdict_block, each_of) {
  const auto y = filled(32, 0.0f);
  EXPECT_TRUE(clean([&] { gs::launch<each_of_fills>({}, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<each_of_overlaps>({}, y); },
                      {{race_in_block, "s->a[i / 2]", "s->a[i / 2]", "[0]", 32}}));
}

// A block's rectangle: what lies outside is left out, and the line that stores is the kernel's.
void stores_a_column(gs::block<32> block, gs::view<float, 2> y, std::size_t width) {
  block.store(y, 0, 4 * std::size_t{block.block_idx().x}, 9, width,
              [](std::size_t, std::size_t c) { return static_cast<float>(c + 1); });
}
TEST(verdict_block, store) {
  const auto y = filled(64, 0.0f).reshape({8, 8});
  EXPECT_TRUE(clean([&] { gs::launch<stores_a_column>({.grid = 2}, y, std::size_t{4}); }));
  EXPECT_EQ(y.copy_to_host()[7 * 8 + 6], 3.0f);
  EXPECT_TRUE(verdict([&] { gs::launch<stores_a_column>({.grid = 2}, y, std::size_t{5}); },
                      {{race_between_blocks, "block.store(y", "block.store(y", "y(0, 4)", 8}}));
}

struct tickets {
  gs::tile<int, 64> part;
  int done;
};
// The block's second warp to come uses what both have written to shared memory.
enum class fenced { no, block, device };
template <fenced how>
void second_warp(gs::thread t, gs::shared<tickets> s, gs::view<int> y) {
  if (t.thread_rank() == 0) s->done = 0;
  t.sync();
  s->part[t.thread_rank()] = 1;
  t.warp_sync();
  int earlier = 0;
  if (t.lane() == 0) {
    if (how == fenced::block) t.block_fence();
    if (how == fenced::device) t.device_fence();
    earlier = gs::atomic_ref(s->done).fetch_add(1);
  }
  earlier = t.shuffle(earlier, 0);
  t.warp_sync();
  if (earlier == 1) y[t.lane()] = s->part[t.lane()] + s->part[t.lane() + 32];
}
TEST(verdict_block, tickets_of_warps) {
  const auto y = filled(32, 0);
  EXPECT_TRUE(clean([&] { gs::launch<second_warp<fenced::device>>({.grid = 1, .block = 64}, y); }));
  EXPECT_TRUE(clean([&] { gs::launch<second_warp<fenced::block>>({.grid = 1, .block = 64}, y); }));
  EXPECT_FALSE(clean([&] { gs::launch<second_warp<fenced::no>>({.grid = 1, .block = 64}, y); }));
}

// A value and its flag in global memory: a fence for the block hands it to the block, and to no other.
template <bool device>
void flag_of_block(gs::thread t, gs::view<int> flag, gs::view<int> value, std::size_t taker) {
  if (t.grid() == 0) {
    value[0] = 42;
    if (device)
      t.device_fence();
    else
      t.block_fence();
    gs::atomic_ref(flag[0]).store(1);
  } else if (t.grid() == taker && gs::atomic_ref(flag[0]).load() == 1) {
    value[1] = value[0];
  }
}
TEST(verdict_block, fences_have_a_scope) {
  const auto value = filled(2, 0);
  const auto launch = [&]<bool device>(std::size_t taker) {
    const auto flag = filled(1, 0);
    gs::launch<flag_of_block<device>>({.grid = 2, .block = 64}, flag, value, taker);
  };
  EXPECT_TRUE(clean([&] { launch.operator()<false>(40); }));
  EXPECT_TRUE(verdict([&] { launch.operator()<false>(100); },
                      {{race_between_blocks, "value[1] = value[0]", "value[0] = 42", "value[0]"}}));
  EXPECT_TRUE(clean([&] { launch.operator()<true>(100); }));
}

}  // namespace
