// Kernels that the compiler takes apart at their barriers: that it does so, that each thread gets back what it needs
// behind a barrier, and that what can't be split runs none the less. (Without the plugin, the same results come from
// fibers.)

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "runtime/gs.h"

namespace {

// CUDA's compiler takes no address of a frame; its tests run on a device that has no fibers.
GS_FN std::uintptr_t own_stack() {
#if defined(__CUDA_ARCH__)
  return 0;
#else
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
#endif
}

struct numbers {
  gs::tile<int, 1024> of;
};

const unsigned sizes_to_split[] = {1, 31, 32, 33, 64, 1009, 1024};

// How many stacks the threads had behind a barrier, by what they noted of it.
std::size_t stacks(const std::vector<std::uintptr_t>& notes) { return std::set(notes.begin(), notes.end()).size(); }

template <auto Kernel, class... P>
std::size_t stacks_of(unsigned threads, const P&... parameters) {
  gs::device_array<std::uintptr_t> notes(threads);
  gs::launch<Kernel>({.grid = 1, .block = threads}, notes, parameters...);
  return stacks(notes.copy_to_host());
}

// Whether this build is to split what can be.
#if GRIDSTRIDE_SPLITS_BARRIERS
constexpr bool splits = true;
#else
constexpr bool splits = false;
#endif

}  // namespace

// --- what is split ---------------------------------------------------------------------------------------------------

GS_FN void note_behind_a_barrier(gs::thread t, gs::view<std::uintptr_t> notes) {
  t.sync();
  notes[t.thread_rank()] = own_stack();
}
GS_FN void note_in_a_loop(gs::thread t, gs::view<std::uintptr_t> notes, unsigned rounds) {
  for (unsigned round = 0; round < rounds; ++round) t.sync();
  notes[t.thread_rank()] = own_stack();
}
GS_FN void note_after_leaving(gs::thread t, gs::view<std::uintptr_t> notes) {
  notes[t.thread_rank()] = own_stack();
  if (t.thread_rank() % 3 == 1) return;
  t.sync();
  notes[t.thread_rank()] = own_stack();
}
// Memory of its own, but not across a barrier.
GS_FN void note_beside_an_array(gs::thread t, gs::view<std::uintptr_t> notes, unsigned chosen) {
  t.sync();
  std::uintptr_t own[8];
  for (unsigned i = 0; i < 8; ++i) own[i] = own_stack() + i;
  notes[t.thread_rank()] = own[chosen] - chosen;
  t.sync();
}

TEST(split, threads_of_a_split_kernel_share_a_stack) {
  if (!splits) GTEST_SKIP() << "this build has no plugin for the compiler: threads that wait have stacks of their own";
  EXPECT_EQ(stacks_of<note_behind_a_barrier>(64), 1u);
  EXPECT_EQ(stacks_of<note_in_a_loop>(64, 3u), 1u);
  EXPECT_EQ(stacks_of<note_after_leaving>(64), 1u);
  EXPECT_EQ(stacks_of<note_beside_an_array>(64, 5u), 1u);
}

// --- what is not -----------------------------------------------------------------------------------------------------

GS_FN void note_after_a_vote(gs::thread t, gs::view<std::uintptr_t> notes) {
  notes[t.thread_rank()] = t.sync_or(true) ? own_stack() : 0;
}
GS_FN void note_after_a_warp(gs::thread t, gs::view<std::uintptr_t> notes) {
  t.sync();
  t.warp_sync();
  notes[t.thread_rank()] = own_stack();
}
GS_FN void note_an_array(gs::thread t, gs::view<std::uintptr_t> notes, unsigned chosen) {
  std::uintptr_t own[8];
  for (unsigned i = 0; i < 8; ++i) own[i] = i + t.thread_rank();
  t.sync();
  notes[t.thread_rank()] = own_stack() + own[chosen] - chosen - t.thread_rank();
}
__attribute__((noinline)) GS_FN void wait_elsewhere(gs::thread t) { t.sync(); }
GS_FN void note_after_a_call(gs::thread t, gs::view<std::uintptr_t> notes, unsigned times) {
  for (unsigned i = 0; i < times; ++i) wait_elsewhere(t);
  notes[t.thread_rank()] = own_stack();
}

TEST(split, what_cannot_be_split_runs_on_fibers) {
  if (gs::current_device() != gs::device_kind::engine) GTEST_SKIP() << "a GPU has no fibers";
  EXPECT_EQ(stacks_of<note_after_a_vote>(64), 64u);
  EXPECT_EQ(stacks_of<note_after_a_warp>(64), 64u);
  EXPECT_EQ(stacks_of<note_an_array>(64, 3u), 64u);
  EXPECT_EQ(stacks_of<note_after_a_call>(64, 2u), 64u);
}

// --- what a thread keeps ---------------------------------------------------------------------------------------------

// Of every size, so that none may lie where another is expected.
struct of_all_sizes {
  bool a;
  std::int8_t b;
  std::int16_t c;
  std::int32_t d;
  std::int64_t e;
  float f;
  double g;
};
GS_FN of_all_sizes made_of(int x) {
  const auto wide = std::int64_t{x} * 1'000'000'007;
  return {x % 3 == 0, static_cast<std::int8_t>(x),  static_cast<std::int16_t>(3 * x), 5 * x,
          wide,       0.5f * static_cast<float>(x), static_cast<double>(wide) / 7};
}
GS_FN void keep_all_sizes(gs::thread t, gs::shared<numbers> s, gs::view<const int> x, gs::view<double> out) {
  const unsigned me = t.thread_rank(), n = t.block_size();
  const int mine = x[me];
  const bool a = mine % 3 == 0;
  const auto b = static_cast<std::int8_t>(mine);
  const auto c = static_cast<std::int16_t>(3 * mine);
  const std::int32_t d = 5 * mine;
  const std::int64_t e = std::int64_t{mine} * 1'000'000'007;
  const float f = 0.5f * static_cast<float>(mine);
  const double g = static_cast<double>(e) / 7;
  s->of[me] = mine;
  t.sync();
  const int next = s->of[(me + 1) % n];
  t.sync();
  s->of[me] = -next;
  t.sync();
  const int after = -s->of[(me + n - 1) % n];  // what this thread itself brought
  out[me] = (a ? 1000.0 : 0.0) + b + c + d + static_cast<double>(e) + static_cast<double>(f) + g + next + after;
}

TEST(split, a_thread_keeps_numbers_of_every_size) {
  for (const unsigned n : sizes_to_split) {
    std::vector<int> x(n);
    for (unsigned i = 0; i < n; ++i) x[i] = static_cast<int>(i * 7919 % 4001) - 2000;
    gs::device_array<double> out(n);
    gs::launch<keep_all_sizes>({.grid = 1, .block = n}, gs::to_device(x), out);
    const auto result = out.copy_to_host();
    for (unsigned i = 0; i < n; ++i) {
      const of_all_sizes v = made_of(x[i]);
      const double expected = (v.a ? 1000.0 : 0.0) + v.b + v.c + v.d + static_cast<double>(v.e) +
                              static_cast<double>(v.f) + v.g + x[(i + 1) % n] + x[i];
      ASSERT_DOUBLE_EQ(result[i], expected) << "thread " << i << " of " << n;
    }
  }
}

// What is read before a barrier is what counts behind it, whatever others write there.
GS_FN void turn_in_place(gs::thread t, gs::view<int> x, unsigned rounds) {
  const unsigned me = t.thread_rank(), n = t.block_size();
  for (unsigned round = 0; round < rounds; ++round) {
    const int left = x[(me + n - 1) % n];
    t.sync();
    x[me] = left;
    t.sync();
  }
}

GS_FN void reverse_in_place(gs::thread t, gs::view<int> x) {
  const unsigned me = t.thread_rank();
  const int other = x[t.block_size() - 1 - me];
  t.sync();
  x[me] = other;
}

TEST(split, what_was_read_before_a_barrier_is_kept) {
  for (const unsigned n : sizes_to_split) {
    std::vector<int> x(n);
    for (unsigned i = 0; i < n; ++i) x[i] = static_cast<int>(i);
    const auto on_device = gs::to_device(x);
    gs::launch<turn_in_place>({.grid = 1, .block = n}, on_device, 5u);
    std::vector<int> expected(n);
    for (unsigned i = 0; i < n; ++i) expected[(i + 5) % n] = x[i];
    EXPECT_EQ(on_device.copy_to_host(), expected) << n << " threads";
    gs::launch<reverse_in_place>({.grid = 1, .block = n}, on_device);
    std::reverse(expected.begin(), expected.end());
    EXPECT_EQ(on_device.copy_to_host(), expected) << n << " threads";
  }
}

// --- what threads have in common, and what only looks like it --------------------------------------------------------

// The steps of each thread are its own, though all count by one; so is what a branch chooses. The rounds are common.
GS_FN void count_apart(gs::thread t, gs::view<const int> x, int rounds, gs::view<int, 2> out) {
  const unsigned me = t.thread_rank();
  int steps = 0;
  while (steps < x[me]) ++steps;
  int kind = 1;
  if (x[me] % 2 == 0) kind = 2;
  for (int round = 0; round < rounds; ++round) {
    t.sync();
    if (kind == 2)
      steps += round;
    else
      steps += 100;
    t.sync();
    out(round, me) = 10 * steps + kind + 1'000'000 * round;
  }
}

TEST(split, what_threads_choose_is_their_own) {
  constexpr int rounds = 4;
  for (const unsigned n : sizes_to_split) {
    std::vector<int> x(n);
    for (unsigned i = 0; i < n; ++i) x[i] = static_cast<int>(i * 31 % 17);
    const auto out = gs::device_array<int>(rounds * n).reshape({rounds, -1});
    gs::launch<count_apart>({.grid = 1, .block = n}, gs::to_device(x), rounds, out);
    const auto result = out.copy_to_host();
    for (unsigned i = 0; i < n; ++i)
      for (int round = 0, steps = x[i]; round < rounds; ++round) {
        steps += x[i] % 2 == 0 ? round : 100;
        ASSERT_EQ(result[static_cast<unsigned>(round) * n + i],
                  10 * steps + (x[i] % 2 == 0 ? 2 : 1) + 1'000'000 * round)
            << "thread " << i << " of " << n << ", round " << round;
      }
  }
}

// A thread leaves the loop when it has had enough, so that the others' rounds are no longer its own.
GS_FN void leave_at_will(gs::thread t, gs::shared<numbers> s, gs::view<const int> x, gs::view<int, 2> out) {
  const unsigned me = t.thread_rank();
  int round = 0;
  for (; round < x[me]; ++round) {
    s->of[me] = round;
    t.sync();
    out(0, me) += s->of[me];
    t.sync();
  }
  out(1, me) = round;
}

TEST(split, threads_leave_a_loop_apart) {
  for (const unsigned n : sizes_to_split) {
    std::vector<int> x(n);
    for (unsigned i = 0; i < n; ++i) x[i] = static_cast<int>(i * 13 % 9);
    const auto out = gs::to_device(std::vector<int>(2 * n)).reshape({2, -1});
    gs::launch<leave_at_will>({.grid = 1, .block = n}, gs::to_device(x), out);
    const auto result = out.copy_to_host();
    for (unsigned i = 0; i < n; ++i) {
      ASSERT_EQ(result[i], x[i] * (x[i] - 1) / 2) << "thread " << i << " of " << n;
      ASSERT_EQ(result[n + i], x[i]) << "thread " << i << " of " << n;
    }
  }
}

// Threads may meet at one barrier in different rounds: each has a round of its own then.
GS_FN void begin_apart(gs::thread t, int rounds, gs::view<int> out) {
  const int me = static_cast<int>(t.thread_rank());
  int sum = 0;
  for (int round = 0; round < rounds; ++round)
    if (round >= me % 3) {
      t.sync();
      sum += 10 * round + 1;
    }
  out[me] = sum;
}

TEST(split, threads_meet_in_different_rounds) {
  constexpr int rounds = 5;
  for (const unsigned n : sizes_to_split) {
    gs::device_array<int> out(n);
    gs::launch<begin_apart>({.grid = 1, .block = n}, rounds, out);
    std::vector<int> expected(n);
    for (unsigned i = 0; i < n; ++i)
      for (int round = static_cast<int>(i % 3); round < rounds; ++round) expected[i] += 10 * round + 1;
    EXPECT_EQ(out.copy_to_host(), expected) << n << " threads";
  }
}

// Barriers in loops, one in another, and under conditions that blocks, but not their threads, decide differently.
GS_FN void wait_under_conditions(gs::thread t, gs::shared<numbers> s, unsigned rounds, gs::view<int, 2> out) {
  const unsigned me = t.thread_rank(), n = t.block_size();
  const auto block = static_cast<unsigned>(t.block_rank());
  int sum = 0;
  for (unsigned i = 0; i < rounds; ++i) {
    s->of[me] = static_cast<int>(me + i);
    if ((block + i) % 2 == 0) {
      for (unsigned k = 1; k <= i; ++k) {
        t.sync();
        sum += s->of[(me + k) % n];
      }
    } else if (block % 3 == 0) {
      t.sync();
      sum -= s->of[n - 1 - me];
    }
    t.sync();
  }
  out(block, me) = sum;
}

TEST(split, barriers_in_loops_and_under_conditions) {
  constexpr unsigned blocks = 7, rounds = 5;
  for (const unsigned n : sizes_to_split) {
    const auto out = gs::device_array<int>(blocks * n).reshape({blocks, -1});
    gs::launch<wait_under_conditions>({.grid = blocks, .block = n}, rounds, out);
    const auto result = out.copy_to_host();
    for (unsigned block = 0; block < blocks; ++block)
      for (unsigned me = 0; me < n; ++me) {
        int sum = 0;
        for (unsigned i = 0; i < rounds; ++i)
          if ((block + i) % 2 == 0)
            for (unsigned k = 1; k <= i; ++k) sum += static_cast<int>((me + k) % n + i);
          else if (block % 3 == 0)
            sum -= static_cast<int>(n - 1 - me + i);
        ASSERT_EQ(result[block * n + me], sum) << "thread " << me << " of " << n << " in block " << block;
      }
  }
}

// Barriers one after another: more than get loops of their own, and more than are numbered.
template <unsigned Step, unsigned Steps>
GS_FN int wait_on(gs::thread t, gs::shared<numbers> s, int mine) {
  if constexpr (Step < Steps) {
    s->of[t.thread_rank()] = mine;
    t.sync();
    const int next = s->of[(t.thread_rank() + 1) % t.block_size()];
    t.sync();
    return wait_on<Step + 1, Steps>(t, s, (mine + static_cast<int>(Step + 1) * next) % 10'007);
  } else {
    return mine;
  }
}
template <unsigned Steps>
GS_FN void wait_often(gs::thread t, gs::shared<numbers> s, gs::view<int> out) {
  out[t.thread_rank()] = wait_on<0, Steps>(t, s, static_cast<int>(t.thread_rank()));
}
template <unsigned Steps>
void expect_many_barriers(unsigned n) {
  gs::device_array<int> out(n);
  gs::launch<wait_often<Steps>>({.grid = 1, .block = n}, out);
  std::vector<int> expected(n);
  for (unsigned i = 0; i < n; ++i) expected[i] = static_cast<int>(i);
  for (unsigned k = 0; k < Steps; ++k) {
    const std::vector<int> values_before = expected;
    for (unsigned i = 0; i < n; ++i)
      expected[i] = (values_before[i] + static_cast<int>(k + 1) * values_before[(i + 1) % n]) % 10'007;
  }
  EXPECT_EQ(out.copy_to_host(), expected) << Steps << " pairs of barriers, " << n << " threads";
}

TEST(split, many_barriers) {
  for (const unsigned n : sizes_to_split) {
    expect_many_barriers<1>(n);
    expect_many_barriers<4>(n);
    expect_many_barriers<5>(n);
    expect_many_barriers<15>(n);
    expect_many_barriers<16>(n);
  }
}

// Rows and columns of a block with three dimensions.
GS_FN void turn_around(gs::thread t, gs::shared<numbers> s, gs::view<int> out) {
  const gs::index3 at = t.thread_idx(), size = t.block_dim();
  s->of[t.thread_rank()] = static_cast<int>(at.x + 100 * at.y + 10'000 * at.z);
  t.sync();
  const gs::index3 opposite{size.x - 1 - at.x, size.y - 1 - at.y, size.z - 1 - at.z};
  out[t.thread_rank()] = s->of[opposite.linear_in(size)];
}

TEST(split, blocks_of_three_dimensions) {
  for (const gs::index3 size :
       {gs::index3{1, 1, 1}, gs::index3{5, 3, 2}, gs::index3{33, 7, 4}, gs::index3{1, 31, 33}}) {
    gs::device_array<int> out(size.size());
    gs::launch<turn_around>({.grid = 1, .block = {size.x, size.y, size.z}}, out);
    const auto result = out.copy_to_host();
    for (unsigned i = 0; i < size.size(); ++i) {
      const gs::index3 at = gs::detail::position_in(size, i);
      ASSERT_EQ(result[i],
                static_cast<int>(size.x - 1 - at.x + 100 * (size.y - 1 - at.y) + 10'000 * (size.z - 1 - at.z)));
    }
  }
}
