// Barriers of a block: who waits, who need not, what the vote says, and what can never open.

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <vector>

#include "runtime/gs.h"
#include "tests/runtime/refused.h"

namespace {
struct word_per_thread {
  gs::tile<int, 1024> value;
};
}  // namespace

// Every thread writes its slot and reads another's, again and again: right only if all wait at each barrier.
GS_FN void rotate(gs::thread t, gs::shared<word_per_thread> s, int rounds, gs::view<int> out) {
  const unsigned n = t.block_size(), me = t.thread_rank();
  s->value[me] = static_cast<int>(me);
  t.sync();
  for (int r = 0; r < rounds; ++r) {
    const int next = s->value[(me + 1) % n];
    t.sync();
    s->value[me] = next;
    t.sync();
  }
  out[t.block_rank() * n + me] = s->value[me];
}

// The textbook tree: a block's sum in shared memory.
GS_FN void sum_blocks(gs::thread t, gs::shared<word_per_thread> s, gs::view<const int> x, gs::view<int> out) {
  const unsigned n = t.block_size(), me = t.thread_rank();
  int sum = 0;
  for (auto i : t.grid_stride(x.size())) sum += x[i];
  s->value[me] = sum;
  for (unsigned half = 512; half > 0; half /= 2) {
    t.sync();
    if (me < half && me + half < n) s->value[me] += s->value[me + half];
  }
  if (me == 0) out[t.block_rank()] = s->value[0];
}

GS_FN void leave_early(gs::thread t, gs::shared<word_per_thread> s, int stay, gs::view<int> out) {
  const int me = static_cast<int>(t.thread_rank());
  if (me >= stay) return;
  s->value[me] = me + 1;
  t.sync();
  out[me] = s->value[stay - 1 - me];
}

GS_FN void leave_one_by_one(gs::thread t, gs::view<int> barriers) {
  const int me = static_cast<int>(t.thread_rank());
  for (int round = 0; round < me; ++round) {
    t.sync();
    ++barriers[me];
  }
}

GS_FN void vote(gs::thread t, int below, gs::view<unsigned> counts, gs::view<unsigned> alls, gs::view<unsigned> anys) {
  const int me = static_cast<int>(t.thread_rank());
  counts[me] = t.sync_count(me < below);
  alls[me] = t.sync_and(me < below);
  anys[me] = t.sync_or(me < below);
}

GS_FN void part_waits(gs::thread t, gs::view<int> out) {
  if (t.thread_rank() < 16) t.sync();  // the first barrier
  out[t.thread_rank()] = 1;
  t.sync();  // the second
}
constexpr int line_of_first_barrier = __LINE__ - 4, line_of_second_barrier = __LINE__ - 2;

GS_FN void fill_with(gs::thread t, int value, gs::view<int> out) {
  for (auto i : t.grid_stride(out.size())) out[i] = value;
}

namespace {

using runtime_test::refused;

std::vector<int> counting(std::size_t n) {
  std::vector<int> x(n);
  std::iota(x.begin(), x.end(), 1);
  return x;
}

const unsigned block_sizes[] = {1, 2, 31, 32, 33, 64, 97, 256, 1009, 1024};

TEST(Barrier, EveryThreadWaitsForEveryOther) {
  for (unsigned block : block_sizes)
    for (int rounds : {0, 1, 7}) {
      const unsigned grid = 5;
      gs::device_array<int> out(grid * block);
      gs::launch<rotate>({.grid = grid, .block = block}, rounds, out);
      const auto got = out.copy_to_host();
      for (unsigned i = 0; i < grid * block; ++i)
        ASSERT_EQ(got[i], static_cast<int>((i % block + static_cast<unsigned>(rounds)) % block))
            << "block of " << block;
    }
}

TEST(Barrier, BlocksOfTwoAndThreeDimensions) {
  for (const auto& block : {gs::extent3(4, 8), gs::extent3(3, 5, 7), gs::extent3(1, 1, 33)}) {
    const auto n = block.as_index().size();
    gs::device_array<int> out(2 * n);
    gs::launch<rotate>({.grid = {1, 2}, .block = block}, 3, out);
    const auto got = out.copy_to_host();
    for (std::size_t i = 0; i < 2 * n; ++i) ASSERT_EQ(got[i], static_cast<int>((i % n + 3) % n));
  }
}

TEST(Barrier, ATreeInSharedMemorySums) {
  for (unsigned block : block_sizes)
    for (std::size_t n : {0, 1, 31, 32, 33, 1009, 100'000}) {
      const auto x = counting(n);
      gs::device_array<int> out(7);
      gs::launch<sum_blocks>({.grid = 7, .block = block}, gs::to_device(x), out);
      const auto got = out.copy_to_host();
      EXPECT_EQ(std::accumulate(got.begin(), got.end(), 0u), std::accumulate(x.begin(), x.end(), 0u))
          << n << " elements, blocks of " << block;
    }
}

TEST(Barrier, ManyBlocksAfterAnother) {  // stacks and schedulers are used again and again
  gs::device_array<int> out(20'000 * 33);
  gs::launch<rotate>({.grid = 20'000, .block = 33}, 2, out);
  const auto got = out.copy_to_host();
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], static_cast<int>((i % 33 + 2) % 33));
}

TEST(Barrier, AThreadThatReturnsLeavesIt) {
  for (int stay : {1, 5, 31, 32, 33, 63, 64}) {
    const auto out = gs::to_device(std::vector<int>(64, -1));
    gs::launch<leave_early>({.grid = 1, .block = 64}, stay, out);
    const auto got = out.copy_to_host();
    for (int i = 0; i < 64; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], i < stay ? stay - i : -1);
  }
  const auto barriers = gs::to_device(std::vector<int>(100));
  gs::launch<leave_one_by_one>({.grid = 1, .block = 100}, barriers);
  const auto got = barriers.copy_to_host();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], i);
}

TEST(Barrier, CountsAndVotes) {
  for (unsigned block : block_sizes)
    for (int below : {0, 1, 17, static_cast<int>(block)}) {
      gs::device_array<unsigned> counts(block), alls(block), anys(block);
      gs::launch<vote>({.grid = 1, .block = block}, below, counts, alls, anys);
      const auto count = static_cast<unsigned>(std::min(below, static_cast<int>(block)));
      EXPECT_EQ(counts.copy_to_host(), std::vector<unsigned>(block, count));
      EXPECT_EQ(alls.copy_to_host(), std::vector<unsigned>(block, count == block));
      EXPECT_EQ(anys.copy_to_host(), std::vector<unsigned>(block, count > 0));
    }
}

class OnEngine : public testing::Test {  // a GPU would hang, or fail in other words
 protected:
  OnEngine() : before_(gs::current_device()) { gs::select_device(gs::device_kind::engine); }
  ~OnEngine() override { gs::select_device(before_); }

  // The device goes on after an error.
  void expect_usable() {
    gs::device_array<int> out(64);
    gs::launch<rotate>({.grid = 2, .block = 32}, 1, out);
    EXPECT_EQ(out.copy_to_host()[31], 0);
  }

 private:
  gs::device_kind before_;
};

using BarrierErrors = OnEngine;

TEST_F(BarrierErrors, ABarrierThatOnlySomeThreadsReachNamesItsLine) {
  gs::device_array<int> out(64);
  gs::launch<part_waits>({.grid = 3, .block = 64}, out);
  EXPECT_TRUE(refused(
      [] { gs::synchronize(); },
      {"part_waits", "thread 0 waits for the block at", "barrier_test.cpp:" + std::to_string(line_of_first_barrier),
       "thread 16 waits for the block at", "barrier_test.cpp:" + std::to_string(line_of_second_barrier)}));
  expect_usable();
}

void throw_after_barrier(gs::thread t, int who, gs::view<int> unwound) {
  struct counter {
    int& count;
    ~counter() { ++count; }
  } on_the_way_out{unwound[0]};
  t.sync();
  if (static_cast<int>(t.thread_rank()) == who) throw std::runtime_error("thread " + std::to_string(who) + " threw");
  t.sync();
  t.sync();
}

TEST_F(BarrierErrors, AnExceptionIsReportedAndTheOtherThreadsAreUnwound) {
  for (int who : {0, 1, 33, 63}) {
    const auto unwound = gs::to_device(std::vector<int>{0});
    gs::launch<throw_after_barrier>({.grid = 1, .block = 64}, who, unwound);
    try {
      gs::synchronize();
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& failure) {
      EXPECT_EQ(failure.what(), "thread " + std::to_string(who) + " threw");
    }
    EXPECT_EQ(unwound.copy_to_host()[0], 64) << "every thread's objects are destroyed";
    expect_usable();
  }
}

int descend(int depth, gs::view<int> out) {
  volatile int here[64] = {depth};
  out[0] = here[0];
  return depth == 0 ? 0 : descend(depth - 1, out) + here[0];
}
void recurse(gs::thread t, bool after_a_barrier, int who, gs::view<int> out) {
  if (after_a_barrier) t.sync();
  if (who < 0 || static_cast<int>(t.thread_rank()) == who) descend(1 << 30, out);
  if (after_a_barrier) t.sync();
}
void one_large_frame(gs::thread t, gs::view<int> out) {
  t.sync();
  if (t.thread_rank() == 3) {
    volatile int large[1 << 20];
    for (int i = 0; i < 1 << 20; i += 512) large[i] = i;
    out[0] = large[511];
  }
  t.sync();
}

TEST_F(BarrierErrors, AStackOverflowIsReported) {
  gs::device_array<int> out(64);
  for (int who : {-1, 0, 1, 40})
    for (bool after_a_barrier : {false, true}) {
      gs::launch<recurse>({.grid = 5, .block = 64}, after_a_barrier, who, out);
      EXPECT_TRUE(refused([] { gs::synchronize(); },
                          {"kernel", "recurse", "needs more than its stack of", "KiB", "local arrays smaller"}))
          << "thread " << who;
      expect_usable();
    }
  gs::launch<one_large_frame>({.grid = 1, .block = 64}, out);
  EXPECT_TRUE(refused([] { gs::synchronize(); }, {"one_large_frame", "needs more than its stack of"}));
  expect_usable();
}

void grid_sync_alone(gs::thread t, gs::view<int> out) {
  out[0] = 1;
  t.grid_sync();
}

TEST_F(BarrierErrors, AGridBarrierNeedsACooperativeLaunch) {
  gs::device_array<int> out(1);
  gs::launch<grid_sync_alone>({.grid = 2, .block = 2}, out);
  EXPECT_TRUE(refused([] { gs::synchronize(); }, {"grid_sync at", "barrier_test.cpp", ".cooperative = true"}));
}

TEST_F(BarrierErrors, OtherStreamsGoOn) {
  gs::stream wrong, right;
  gs::device_array<int> out(64);
  const auto fine = gs::to_device(std::vector<int>(64));
  gs::launch<part_waits>({.grid = 1, .block = 64, .stream = wrong}, out);
  gs::launch<fill_with>({.grid = 1, .block = 64, .stream = right}, 5, fine);
  right.synchronize();
  EXPECT_THROW(wrong.synchronize(), gs::error);
  EXPECT_EQ(fine.copy_to_host(), std::vector<int>(64, 5));
}

}  // namespace
