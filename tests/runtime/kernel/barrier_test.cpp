// Barriers of a block: who waits, who need not, and what the vote says.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <numeric>
#include <thread>
#include <vector>

#include "runtime/gs.h"

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

// More values than there are registers, integers and floats, live across two barriers at different places, and a
// condition in between.
GS_FN void keep_many(gs::thread t, gs::view<const float> x, gs::view<double> out) {
  constexpr std::size_t kernel_count = 40;
  const std::size_t me = t.thread_rank();
  double real[kernel_count];
  std::uint64_t whole[kernel_count];
  for (std::size_t i = 0; i < kernel_count; ++i) {
    real[i] = static_cast<double>(x[me]) + static_cast<double>(i);
    whole[i] = me * 1000 + i;
  }
  t.sync();
  for (std::size_t i = 0; i < kernel_count; ++i) real[i] = x[me] > 3 ? real[i] * 2 : static_cast<double>(whole[i]);
  t.sync();
  double sum = 0;
  for (std::size_t i = 0; i < kernel_count; ++i) sum += real[i] + static_cast<double>(whole[i]);
  out[me] = sum;
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

// On the way from barrier to barrier, some return and some wait for their warp first: never the same ones.
GS_FN bool returns_before(std::size_t thread, std::size_t step) { return thread % 5 == 3 && thread / 5 % 8 < step; }
GS_FN void do_more_than_wait(gs::thread t, unsigned steps, gs::view<int, 2> counts) {
  const unsigned me = t.thread_rank();
  for (unsigned step = 0; step < steps; ++step) {
    if (returns_before(me, step)) return;
    if ((t.warp() + step) % 3 == 1) t.warp_sync();
    counts(step, me) = static_cast<int>(t.sync_count((me + step) % 3 == 0));
    t.sync();
  }
}

GS_FN void vote(gs::thread t, int bound, gs::view<unsigned> counts, gs::view<unsigned> alls, gs::view<unsigned> anys) {
  const int me = static_cast<int>(t.thread_rank());
  counts[me] = t.sync_count(me < bound);
  alls[me] = t.sync_and(me < bound);
  anys[me] = t.sync_or(me < bound);
}

// How many barriers a thread passes before it returns. In blocks of kind 0 all threads pass one; what comes after such
// a block begins on its threads' fibers, and does something else in its own way.
constexpr unsigned kinds_of_block = 11;
GS_FN unsigned barriers_of(unsigned kind, unsigned thread, unsigned threads) {
  switch (kind) {
    case 1:  // returns at once: the first,
      return thread > 0;
    case 2:  // the last,
      return thread + 1 < threads;
    case 3:  // one between them,
      return thread != threads / 2;
    case 4:  // every fourth
      return thread % 4;
    case 5:  // returns between two barriers: the first,
      return thread == 0 ? 1 : 2;
    case 6:  // one between them,
      return thread == threads / 2 ? 1 : 2;
    case 7:  // all but the last
      return thread + 1 == threads ? 2 : 1;
    case 8:  // nobody waits
      return 0;
    case 9:
      return 3;
    default:  // 0, and 10, where some wait for their warp first
      return 1;
  }
}
GS_FN unsigned kind_of(unsigned block) { return block % 2 == 0 ? 0 : block / 2 % kinds_of_block; }
GS_FN void differ_by_block(gs::thread t, gs::view<unsigned, 2> sums) {
  const unsigned me = t.thread_rank(), kind = kind_of(static_cast<unsigned>(t.block_rank()));
  if (kind == 10 && t.warp() % 2 == 0) t.warp_sync();
  unsigned sum = me;
  for (unsigned step = 1; step <= barriers_of(kind, me, t.block_size()); ++step)
    sum += step * t.sync_count(me % 3 != 1);
  sums(t.block_rank(), me) = sum;
}

namespace {

std::vector<int> counting(std::size_t n) {
  std::vector<int> x(n);
  std::iota(x.begin(), x.end(), 1);
  return x;
}

const unsigned block_sizes[] = {1, 2, 31, 32, 33, 64, 97, 256, 1009, 1024};

TEST(barrier, every_thread_waits_for_every_other) {
  for (unsigned block : block_sizes)
    for (int rounds : {0, 1, 7}) {
      const unsigned grid = 5;
      gs::device_array<int> out(grid * block);
      gs::launch<rotate>({.grid = grid, .block = block}, rounds, out);
      const auto result = out.copy_to_host();
      for (unsigned i = 0; i < grid * block; ++i)
        ASSERT_EQ(result[i], static_cast<int>((i % block + static_cast<unsigned>(rounds)) % block))
            << "block of " << block;
    }
}

TEST(barrier, blocks_of_two_and_three_dimensions) {
  for (const auto& block : {gs::extent3(4, 8), gs::extent3(3, 5, 7), gs::extent3(1, 1, 33)}) {
    const auto n = block.as_index().size();
    gs::device_array<int> out(2 * n);
    gs::launch<rotate>({.grid = {1, 2}, .block = block}, 3, out);
    const auto result = out.copy_to_host();
    for (std::size_t i = 0; i < 2 * n; ++i) ASSERT_EQ(result[i], static_cast<int>((i % n + 3) % n));
  }
}

TEST(barrier, a_tree_in_shared_memory_sums) {
  for (unsigned block : block_sizes)
    for (std::size_t n : {0, 1, 31, 32, 33, 1009, 100'000}) {
      const auto x = counting(n);
      gs::device_array<int> out(7);
      gs::launch<sum_blocks>({.grid = 7, .block = block}, gs::to_device(x), out);
      const auto result = out.copy_to_host();
      EXPECT_EQ(std::accumulate(result.begin(), result.end(), 0u), std::accumulate(x.begin(), x.end(), 0u))
          << n << " elements, blocks of " << block;
    }
}

TEST(barrier, many_blocks_after_another) {  // stacks and schedulers are used again and again
  gs::device_array<int> out(20'000 * 33);
  gs::launch<rotate>({.grid = 20'000, .block = 33}, 2, out);
  const auto result = out.copy_to_host();
  for (std::size_t i = 0; i < result.size(); ++i) ASSERT_EQ(result[i], static_cast<int>((i % 33 + 2) % 33));
}

TEST(barrier, values_live_across_it) {
  for (std::size_t n : {1, 31, 33, 256, 1009}) {
    std::vector<float> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i % 7);
    gs::device_array<double> out(n);
    gs::launch<keep_many>({.grid = 1, .block = n}, gs::to_device(x), out);
    const auto result = out.copy_to_host();
    for (std::size_t t = 0; t < n; ++t) {
      const double ids = 40.0 * 1000 * static_cast<double>(t) + 780;  // 780 = 0 + 1 + ... + 39
      const double reals = x[t] > 3 ? 2 * (40 * static_cast<double>(x[t]) + 780) : ids;
      ASSERT_EQ(result[t], reals + ids) << t << " of " << n;
    }
  }
}

TEST(barrier, a_thread_that_returns_leaves_it) {
  for (int stay : {1, 5, 31, 32, 33, 63, 64}) {
    const auto out = gs::to_device(std::vector<int>(64, -1));
    gs::launch<leave_early>({.grid = 1, .block = 64}, stay, out);
    const auto result = out.copy_to_host();
    for (int i = 0; i < 64; ++i) EXPECT_EQ(result[static_cast<std::size_t>(i)], i < stay ? stay - i : -1);
  }
  const auto barriers = gs::to_device(std::vector<int>(100));
  gs::launch<leave_one_by_one>({.grid = 1, .block = 100}, barriers);
  const auto result = barriers.copy_to_host();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(result[static_cast<std::size_t>(i)], i);
}

TEST(barrier, threads_may_do_more_than_wait) {
  constexpr unsigned steps = 12;
  for (unsigned threads : {1u, 4u, 31u, 32u, 33u, 257u, 1024u}) {
    const auto counts = gs::to_device(std::vector<int>(std::size_t{steps} * threads, -1)).reshape({steps, threads});
    gs::launch<do_more_than_wait>({.grid = 1, .block = threads}, steps, counts);
    std::vector<int> expected;
    for (unsigned step = 0; step < steps; ++step) {
      int count = 0;
      for (unsigned t = 0; t < threads; ++t) count += !returns_before(t, step) && (t + step) % 3 == 0;
      for (unsigned t = 0; t < threads; ++t) expected.push_back(returns_before(t, step) ? -1 : count);
    }
    EXPECT_EQ(counts.copy_to_host(), expected) << threads << " threads";
  }
}

TEST(barrier, blocks_that_follow_each_other_may_differ) {
  constexpr unsigned blocks = 4 * kinds_of_block + 3;
  const auto check = [](unsigned threads, const std::vector<unsigned>& result) {
    for (unsigned b = 0; b < blocks; ++b) {
      const unsigned kind = kind_of(b);
      for (unsigned t = 0; t < threads; ++t) {
        unsigned expected = t;
        for (unsigned step = 1; step <= barriers_of(kind, t, threads); ++step)
          for (unsigned other = 0; other < threads; ++other)
            expected += step * (barriers_of(kind, other, threads) >= step && other % 3 != 1);
        ASSERT_EQ(result[std::size_t{b} * threads + t], expected)
            << "thread " << t << " of " << threads << ", block " << b << " of kind " << kind;
      }
    }
  };
  for (unsigned threads : {1u, 2u, 3u, 31u, 32u, 33u, 64u, 257u}) {
    gs::device_array<unsigned> first({blocks, threads}), second({blocks, threads + 1});
    gs::launch<differ_by_block>({.grid = blocks, .block = threads}, first);
    gs::launch<differ_by_block>({.grid = blocks, .block = threads + 1}, second);
    check(threads, first.copy_to_host());
    check(threads + 1, second.copy_to_host());
  }
}

#if defined(__linux__)
// Stacks that no block took over again would show as mappings of memory.
TEST(barrier, blocks_that_differ_lose_no_stacks) {
  const auto mappings = [] {
    std::ifstream maps("/proc/self/maps");
    return std::count(std::istreambuf_iterator<char>(maps), {}, '\n');
  };
  gs::device_array<unsigned> out({200, 64});
  const auto launch = [&](int times) {
    for (int k = 0; k < times; ++k) gs::launch<differ_by_block>({.grid = 200, .block = 64}, out);
    gs::synchronize();
  };
  launch(2);
  const auto mappings_before = mappings();
  launch(5);  // would lose more than 5,000
  EXPECT_LE(mappings(), mappings_before + 130 * static_cast<std::ptrdiff_t>(std::thread::hardware_concurrency()));
}
#endif

TEST(barrier, counts_and_votes) {
  for (unsigned block : block_sizes)
    for (int bound : {0, 1, 17, static_cast<int>(block)}) {
      gs::device_array<unsigned> counts(block), alls(block), anys(block);
      gs::launch<vote>({.grid = 1, .block = block}, bound, counts, alls, anys);
      const auto count = static_cast<unsigned>(std::min(bound, static_cast<int>(block)));
      EXPECT_EQ(counts.copy_to_host(), std::vector<unsigned>(block, count));
      EXPECT_EQ(alls.copy_to_host(), std::vector<unsigned>(block, count == block));
      EXPECT_EQ(anys.copy_to_host(), std::vector<unsigned>(block, count > 0));
    }
}

}  // namespace
