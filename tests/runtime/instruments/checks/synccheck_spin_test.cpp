// Kernels whose threads wait for each other in loops, under inspection: data that they hand over is ordered, although
// blocks yield to each other halfway, and waiting by plain reads is a finding.

#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include "runtime/instruments/interruption.h"
#include "tests/runtime/instruments/verdicts.h"

namespace {

using namespace runtime_test;
using enum gs::finding_kind;
using numbers = gs::view<unsigned>;

// --- what is right ---------------------------------------------------------------------------------------------------

void hand_on_in_block(gs::thread t, numbers flags, numbers x) {
  const unsigned me = t.thread_rank();
  if (me + 1 < t.block_size()) {
    while (gs::atomic_ref(flags[me + 1]).load() == 0) {
    }
    t.block_fence();
    x[me] += x[me + 1];
  }
  t.block_fence();
  gs::atomic_ref(flags[me]).store(1u);
}
TEST(verdict_spin, threads_of_a_block_hand_on_what_they_wrote) {
  for (std::size_t block : {2, 32, 33, 100}) {
    const auto flags = filled(block, 0u), x = filled(block, 1u);
    EXPECT_TRUE(clean([&] { gs::launch<hand_on_in_block>({.grid = 1, .block = block}, flags, x); }));
    EXPECT_EQ(x.copy_to_host()[0], block);
  }
}

// The first block waits for the last one. Each has written something before, and writes more after it.
template <bool Fences>
void hand_on_between_blocks(gs::thread t, numbers flags, numbers x, numbers y) {
  const std::size_t me = t.block_rank();
  y[t.grid()] = t.thread_rank();
  t.sync();
  if (t.thread_rank() == 0) {
    if (me + 1 < t.grid_dim().x) {
      while (gs::atomic_ref(flags[me + 1]).load() == 0) {
      }
      t.device_fence();
      x[me] += x[me + 1];
    }
    if constexpr (Fences) t.device_fence();
    gs::atomic_ref(flags[me]).store(1u);
  }
  t.sync();
  y[t.block_rank() * t.block_size() + (t.thread_rank() + 1) % t.block_size()] += 1;
}
TEST(verdict_spin, blocks_hand_on_what_they_wrote) {
  for (std::size_t grid : {2, 3, 20}) {
    const auto flags = filled(grid, 0u), x = filled(grid, 1u), y = filled(grid * 40, 0u);
    EXPECT_TRUE(clean([&] { gs::launch<hand_on_between_blocks<true>>({.grid = grid, .block = 40}, flags, x, y); }));
    EXPECT_EQ(x.copy_to_host()[0], grid);
  }
}
TEST(verdict_spin, a_block_that_hands_on_without_a_fence_races) {
  const auto flags = filled(3, 0u);
  const auto x = filled(3, 1u);
  const auto y = filled(3 * 40, 0u);
  EXPECT_TRUE(verdict([&] { gs::launch<hand_on_between_blocks<false>>({.grid = 3, .block = 40}, flags, x, y); },
                      {{race_between_blocks, "x[me] += x[me + 1]", "x[me] += x[me + 1]", "x[1]", 0}}));
}

// A race within a block is one, also if the block has given way to others in between.
void write_and_read_around_a_wait(gs::thread t, numbers flags, numbers y) {
  const std::size_t me = t.block_rank();
  y[t.grid()] = t.thread_rank();  // the write
  if (me + 1 < t.grid_dim().x)
    while (gs::atomic_ref(flags[me + 1]).load() == 0) {
    }
  y[t.grid()] += y[t.block_rank() * t.block_size() + (t.thread_rank() + 1) % t.block_size()];  // the sum
  t.sync();
  gs::atomic_ref(flags[me]).store(1u);
}
TEST(verdict_spin, a_race_around_a_wait_is_found_in_the_block) {
  const auto flags = filled(2, 0u), y = filled(2 * 64, 0u);
  const gs::inspection result = gs::inspect(
      [&] { gs::launch<write_and_read_around_a_wait>({.grid = 2, .block = 64}, flags, y); }, all_instruments());
  EXPECT_FALSE(result.failure);
  EXPECT_FALSE(result.findings.empty());
  for (const gs::finding& f : result.findings) EXPECT_EQ(f.kind, race_in_block) << f.meaning;
}

void count_under_lock(gs::thread t, numbers lock, numbers n) {
  while (gs::atomic_ref(lock[0]).exchange(1u) != 0) {
  }
  t.device_fence();
  n[0] += 1;
  t.device_fence();
  gs::atomic_ref(lock[0]).exchange(0u);
}
TEST(verdict_spin, a_lock_orders_what_is_done_under_it) {
  const auto lock = filled(1, 0u), n = filled(1, 0u);
  EXPECT_TRUE(clean([&] { gs::launch<count_under_lock>({.grid = 5, .block = 33}, lock, n); }));
  EXPECT_EQ(n.copy_to_host()[0], 165u);
}

void meet_by_hand(gs::thread t, numbers arrived, numbers a, numbers b) {
  a[t.grid()] = static_cast<unsigned>(t.grid());
  t.sync();
  if (t.thread_rank() == 0) {
    t.device_fence();
    gs::atomic_ref(arrived[0]).fetch_add(1u);
    while (gs::atomic_ref(arrived[0]).load() < t.grid_dim().x) {
    }
    t.device_fence();
  }
  t.sync();
  b[t.grid()] = a[(t.grid() + t.block_size()) % t.gridsize()];
}
TEST(verdict_spin, a_barrier_of_the_grid_made_by_hand_is_one) {
  for (std::size_t grid : {1, 2, 7, 30}) {
    const auto arrived = filled(1, 0u), a = filled(grid * 33, 0u), b = filled(grid * 33, 0u);
    EXPECT_TRUE(clean([&] { gs::launch<meet_by_hand>({.grid = grid, .block = 33}, arrived, a, b); }));
    const auto got = b.copy_to_host();
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], (i + 33) % got.size());
  }
}

// --- plain reads -----------------------------------------------------------------------------------------------------

void wait_plainly(gs::thread t, numbers flag, numbers out) {
  if (t.thread_rank() == 0)
    while (flag[0] == 0) {
    }
  else if (t.thread_rank() == 1)
    gs::atomic_ref(flag[0]).store(1u);
  out[t.grid()] = 1;
}
TEST(verdict_spin, a_wait_with_plain_reads_is_found) {
  const auto flag = filled(1, 0u);
  const auto out = filled(64, 0u);
  const gs::inspection result =
      gs::inspect([&] { gs::launch<wait_plainly>({.grid = 1, .block = 64}, flag, out); }, all_instruments());
  EXPECT_FALSE(result.failure);
  const auto spin = std::ranges::find(result.findings, plain_spin, &gs::finding::kind);
  ASSERT_NE(spin, result.findings.end());
  EXPECT_EQ(spin->meaning,
            "Thread 0 of block 0 reads an element of flag again and again until another thread changes it. These are "
            "plain reads: a compiler may make one of them all, and then the loop never ends.");
  EXPECT_NE(spin->hint.find("gs::atomic_ref(x).load()"), std::string::npos);
  EXPECT_EQ(out.copy_to_host(), std::vector<unsigned>(64, 1));
}

void wait_plainly_for_nobody(gs::thread, numbers flag) {
  while (flag[0] == 0) {
  }
}
TEST(verdict_spin, a_wait_with_plain_reads_that_never_ends_is_found_and_ended) {
  const auto flag = filled(1, 0u);
  const gs::inspection result =
      gs::inspect([&] { gs::launch<wait_plainly_for_nobody>({.grid = 1, .block = 2}, flag); }, all_instruments());
  EXPECT_TRUE(result.failure);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, plain_spin);
}

void read_the_same_often(gs::thread t, numbers x, numbers out) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 20'000; ++i) sum += x[0];
  out[t.grid()] = sum;
}
TEST(verdict_spin, who_reads_the_same_often_does_not_wait) {
  const auto x = filled(1, 1u), out = filled(4, 0u);
  EXPECT_TRUE(clean([&] { gs::launch<read_the_same_often>({.grid = 2, .block = 2}, x, out); }));
  EXPECT_EQ(out.copy_to_host(), std::vector<unsigned>(4, 20'000));
}

// --- what never ends -------------------------------------------------------------------------------------------------

void wait_for_nobody(gs::thread t, numbers flag, numbers x) {
  x[t.block_rank()] = t.thread_rank();  // which races
  while (gs::atomic_ref(flag[0]).load() == 0) {
  }
}
TEST(verdict_spin, what_was_found_stays_when_a_kernel_never_ends) {
  const auto flag = filled(1, 0u), x = filled(2, 0u);
  const gs::inspection result =
      gs::inspect([&] { gs::launch<wait_for_nobody>({.grid = 2, .block = 32}, flag, x); }, all_instruments());
  ASSERT_TRUE(result.failure);
  try {
    std::rethrow_exception(result.failure);
  } catch (const gs::error& e) {
    EXPECT_NE(std::string(e.what()).find("synccheck_spin_test.cpp:"), std::string::npos) << e.what();
  }
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, race_in_block);
}

TEST(verdict_spin, an_interruption_ends_a_kernel_at_its_next_access_and_keeps_what_was_found) {
  const auto lock = filled(1, 0u);
  const auto n = filled(1, 0u);
  const auto x = filled(2, 0u);
  EXPECT_FALSE(gs::detail::interrupt_inspection()) << "nothing is inspected";
  const gs::inspection result = gs::inspect(
      [&] {
        gs::launch<write_and_read_around_a_wait>({.grid = 1, .block = 2}, lock, x);
        gs::synchronize();
        EXPECT_TRUE(gs::detail::interrupt_inspection());
        gs::launch<count_under_lock>({.grid = 2, .block = 32}, lock, n);
      },
      all_instruments());
  ASSERT_TRUE(result.failure);
  try {
    std::rethrow_exception(result.failure);
  } catch (const gs::error& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("kernel "), std::string::npos) << text;
    EXPECT_NE(text.find("count_under_lock: interrupted in thread 0 of block 0 at "), std::string::npos) << text;
    EXPECT_NE(text.find("synccheck_spin_test.cpp:"), std::string::npos) << text;
  }
  EXPECT_FALSE(result.findings.empty());
  EXPECT_EQ(n.copy_to_host()[0], 0u);
  EXPECT_TRUE(clean([&] { gs::launch<count_under_lock>({.grid = 2, .block = 32}, filled(1, 0u), n); }));
}

}  // namespace
