// Threads that wait for each other in loops: as on a GPU, each of them makes progress on the engine.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "runtime/gs.h"
#include "tests/runtime/refused.h"

namespace spin_test {

using counts = gs::view<unsigned>;

// --- within a block --------------------------------------------------------------------------------------------------

// Thread t waits for thread t + 1, so that those that begin first are the last.
GS_FN void last_thread_first(gs::thread t, counts flags, counts order, counts place) {
  const std::size_t me = t.grid();
  const unsigned rank = t.thread_rank();
  if (rank + 1 < t.block_size())
    while (gs::atomic_ref(flags[me + 1]).load() == 0) {
    }
  order[me] = gs::atomic_ref(place[t.block_rank()]).fetch_add(1u);
  t.block_fence();
  gs::atomic_ref(flags[me]).store(1u);
}

GS_FN void last_thread_first_volatile(gs::thread t, counts flags, counts order, counts place) {
  const std::size_t me = t.grid();
  volatile unsigned* const flag = &flags[0];
  if (t.thread_rank() + 1 < t.block_size())
    while (flag[me + 1] == 0) {
    }
  order[me] = gs::atomic_ref(place[t.block_rank()]).fetch_add(1u);
  t.block_fence();
  flag[me] = 1;
}

// The flag is reset by the thread that set it.
GS_FN void last_thread_first_exchange(gs::thread t, counts flags, counts order, counts place) {
  const std::size_t me = t.grid();
  if (t.thread_rank() + 1 < t.block_size())
    while (gs::atomic_ref(flags[me + 1]).exchange(0u) == 0) {
    }
  order[me] = gs::atomic_ref(place[t.block_rank()]).fetch_add(1u);
  gs::atomic_ref(flags[me]).exchange(1u);
}

GS_FN void last_thread_first_compared(gs::thread t, counts flags, counts order, counts place) {
  const std::size_t me = t.grid();
  if (t.thread_rank() + 1 < t.block_size())
    while (gs::atomic_ref(flags[me + 1]).compare_exchange(1u, 2u) != 1) {
    }
  order[me] = gs::atomic_ref(place[t.block_rank()]).fetch_add(1u);
  gs::atomic_ref(flags[me]).compare_exchange(0u, 1u);
}

// Reads by what changes nothing, as old CUDA code does; in a function of its own.
[[gnu::noinline]] GS_FN void wait_until_set(counts flags, std::size_t i) {
  while (gs::atomic_ref(flags[i]).fetch_add(0u) == 0) {
  }
}
GS_FN void last_thread_first_in_function(gs::thread t, counts flags, counts order, counts place) {
  const std::size_t me = t.grid();
  if (t.thread_rank() + 1 < t.block_size()) wait_until_set(flags, me + 1);
  order[me] = gs::atomic_ref(place[t.block_rank()]).fetch_add(1u);
  gs::atomic_ref(flags[me]).fetch_or(1u);
}

struct tickets {
  unsigned next, served, count, arrived, round;
};
// A lock that is handed on in the order in which threads have asked for it, and only from a thread to the one before.
GS_FN void counts_under_lock(gs::thread t, gs::shared<tickets> s, counts sums, unsigned times) {
  if (t.thread_rank() == 0) s->next = s->served = s->count = 0;
  t.sync();
  for (unsigned i = 0; i < times; ++i) {
    const unsigned mine = gs::atomic_ref(s->next).fetch_add(1u);
    while (gs::atomic_ref(s->served).load() != mine) {
    }
    t.block_fence();
    ++s->count;
    t.block_fence();
    gs::atomic_ref(s->served).fetch_add(1u);
  }
  t.sync();
  if (t.thread_rank() == 0) sums[t.block_rank()] = s->count;
}

// A barrier made by hand: the last one to come opens it.
GS_FN void hand_made_barrier(gs::thread t, gs::shared<tickets> s) {
  t.block_fence();
  const unsigned round = gs::atomic_ref(s->round).load();
  if (gs::atomic_ref(s->arrived).fetch_add(1u) + 1 == t.block_size()) {
    gs::atomic_ref(s->arrived).store(0u);
    t.block_fence();
    gs::atomic_ref(s->round).fetch_add(1u);
  } else {
    while (gs::atomic_ref(s->round).load() == round) {
    }
  }
  t.block_fence();
}
GS_FN void rotates_by_hand(gs::thread t, gs::shared<tickets> s, counts a, counts b, unsigned rounds) {
  const std::size_t first = t.block_rank() * t.block_size(), me = t.thread_rank();
  const std::size_t next = (me + 1) % t.block_size();
  if (me == 0) s->arrived = s->round = 0;
  t.sync();
  for (unsigned r = 0; r < rounds; ++r) {
    b[first + me] = a[first + next];
    hand_made_barrier(t, s);
    a[first + me] = b[first + me];
    hand_made_barrier(t, s);
  }
}

// Two threads hand a token to and fro.
GS_FN void token_in_block(gs::thread t, counts token, unsigned times) {
  const unsigned me = t.thread_rank();
  if (me > 1) return;
  for (unsigned i = 0; i < times; ++i) {
    while (gs::atomic_ref(token[0]).load() % 2 != me) {
    }
    gs::atomic_ref(token[0]).fetch_add(1u);
  }
}

// --- between blocks --------------------------------------------------------------------------------------------------

GS_FN void last_block_first(gs::thread t, counts flags, counts order, counts place) {
  const std::size_t me = t.block_rank();
  if (t.thread_rank() == 0) {
    if (me + 1 < flags.size())
      while (gs::atomic_ref(flags[me + 1]).load() == 0) {
      }
    order[me] = gs::atomic_ref(place[0]).fetch_add(1u);
    t.device_fence();
    gs::atomic_ref(flags[me]).store(1u);
  }
}

// The rest of the block waits at a barrier for the thread that spins.
GS_FN void last_block_first_behind_barrier(gs::thread t, counts flags, counts order, counts place) {
  const std::size_t me = t.block_rank();
  if (t.thread_rank() == 0 && me + 1 < flags.size()) {
    volatile unsigned* const flag = &flags[me + 1];
    while (*flag == 0) {
    }
  }
  t.sync();
  if (t.thread_rank() + 1 == t.block_size()) order[me] = gs::atomic_ref(place[0]).fetch_add(1u);
  t.sync();
  if (t.thread_rank() == 0) {
    t.device_fence();
    gs::atomic_ref(flags[me]).store(1u);
  }
}

struct answer {
  unsigned is_set;
};
// All threads go round together, with barriers in the loop.
GS_FN void last_block_first_together(gs::thread t, gs::shared<answer> s, counts flags, counts order, counts place) {
  const std::size_t me = t.block_rank();
  for (bool waits = me + 1 < flags.size(); waits;) {
    if (t.thread_rank() == 0) s->is_set = gs::atomic_ref(flags[me + 1]).load();
    t.sync();
    waits = s->is_set == 0;
    t.sync();
  }
  if (t.thread_rank() == 0) {
    order[me] = gs::atomic_ref(place[0]).fetch_add(1u);
    t.device_fence();
    gs::atomic_ref(flags[me]).store(1u);
  }
}

GS_FN void last_block_first_in_block_style(gs::block<32> b, counts flags, counts order, counts place) {
  const std::size_t me = b.block_idx().x;
  b.each([&](auto t) {
    if (t.x == 0 && me + 1 < flags.size())
      while (gs::atomic_ref(flags[me + 1]).load() == 0) {
      }
  });
  b.each([&](auto t) {
    if (t.x != 0) return;
    order[me] = gs::atomic_ref(place[0]).fetch_add(1u);
    gs::atomic_ref(flags[me]).store(1u);
  });
}

// A prefix sum in one pass: a block adds what the blocks before have published, backwards, until one knows the sum of
// all before (D. Merrill and M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016). Blocks
// take their places in the order in which they begin, or, to be awkward, in the opposite of that of their numbers.
struct partial_sums {
  gs::tile<unsigned, 1024> of;
  unsigned sum_before, place;
};
GS_FN void scan_with_look_back(gs::thread t, gs::shared<partial_sums> s, counts x, counts state, counts sums,
                               counts totals, counts next, unsigned backwards) {
  const unsigned me = t.thread_rank(), n = t.block_size();
  if (me == 0)
    s->place =
        backwards ? static_cast<unsigned>(t.grid_dim().x - 1 - t.block_rank()) : gs::atomic_ref(next[0]).fetch_add(1u);
  t.sync();
  const std::size_t place = s->place, i = place * n + me;
  s->of[me] = i < x.size() ? x[i] : 0;
  for (unsigned step = 1; step < n; step *= 2) {
    t.sync();
    const unsigned other = me >= step ? s->of[me - step] : 0;
    t.sync();
    s->of[me] += other;
  }
  t.sync();
  if (me == 0) {
    const unsigned total = s->of[n - 1];
    unsigned sum_before = 0;
    if (place > 0) {
      sums[place] = total;
      t.device_fence();
      gs::atomic_ref(state[place]).store(1u);
      for (std::size_t other = place; other-- > 0;) {
        unsigned ready = 0;
        while ((ready = gs::atomic_ref(state[other]).load()) == 0) {
        }
        t.device_fence();
        if (ready == 2) {
          sum_before += totals[other];
          break;
        }
        sum_before += sums[other];
      }
    }
    totals[place] = sum_before + total;
    t.device_fence();
    gs::atomic_ref(state[place]).store(2u);
    s->sum_before = sum_before;
  }
  t.sync();
  if (i < x.size()) x[i] = s->sum_before + s->of[me];
}

// A barrier of the grid, made by hand.
GS_FN void rotates_over_grid(gs::thread t, counts a, counts b, counts arrived, unsigned rounds) {
  const std::size_t me = t.grid(), next = (me + 1) % t.gridsize();
  unsigned goal = 0;
  const auto meet = [&] {
    t.sync();
    goal += t.grid_dim().x;
    if (t.thread_rank() == 0) {
      t.device_fence();
      gs::atomic_ref(arrived[0]).fetch_add(1u);
      while (gs::atomic_ref(arrived[0]).load() < goal) {
      }
      t.device_fence();
    }
    t.sync();
  };
  for (unsigned r = 0; r < rounds; ++r) {
    b[me] = a[next];
    meet();
    a[me] = b[me];
    meet();
  }
}

// Even blocks produce for the odd ones beside them, one number at a time.
GS_FN void hands_numbers_over(gs::thread t, counts full, counts box, counts sums, unsigned numbers) {
  const std::size_t pair = t.block_rank() / 2;
  if (t.thread_rank() != 0) return;
  const unsigned me = t.block_rank() % 2;
  for (unsigned i = 0; i < numbers; ++i) {
    while (gs::atomic_ref(full[pair]).load() != me) {
    }
    t.device_fence();
    if (me == 0)
      box[pair] = i;
    else
      sums[pair] += box[pair];
    t.device_fence();
    gs::atomic_ref(full[pair]).store(1 - me);
  }
}

// A spin lock over the whole grid, with back-off and all.
GS_FN void counts_under_grid_lock(gs::thread t, counts lock, counts count) {
  unsigned wait = 1;
  while (gs::atomic_ref(lock[0]).exchange(1u) != 0) {
    for (unsigned i = 0; i < wait; ++i) t.device_fence();
    wait = wait < 64 ? 2 * wait : 64;
  }
  t.device_fence();
  ++count[0];
  t.device_fence();
  gs::atomic_ref(lock[0]).store(0u);
}

GS_FN void meets_grid_and_spins(gs::thread t, counts flags, counts order, counts place) {
  last_block_first(t, flags, order, place);
  t.grid_sync();
  if (t.thread_rank() == 0) order[t.block_rank()] += place[0];
}

GS_FN void waits_for_flag(gs::thread t, counts flag, counts out) {
  while (gs::atomic_ref(flag[0]).load() == 0) {
  }
  out[t.grid()] = 1;
}
GS_FN void sets_flag(gs::thread, counts flag) { gs::atomic_ref(flag[0]).store(1u); }

// Goes on as long as there is work: each round brings something new.
GS_FN void takes_work(gs::thread t, counts next, counts done, unsigned work) {
  for (unsigned mine = 0; (mine = gs::atomic_ref(next[0]).fetch_add(1u)) < work;)
    gs::atomic_ref(done[mine]).fetch_add(t.block_size());
}

// --- what never ends -------------------------------------------------------------------------------------------------

GS_FN void waits_for_nobody(gs::thread t, counts flag) {
  if (t.thread_rank() == 3)
    while (gs::atomic_ref(flag[t.block_rank()]).load() == 0) {
    }
}
constexpr unsigned line_of_load = __LINE__ - 3;

GS_FN void waits_for_nobody_volatile(gs::thread t, counts flag) {
  volatile unsigned* const flag_address = &flag[0];
  if (t.grid() == 0)
    while (*flag_address == 0) {
    }
  t.sync();
}
constexpr unsigned line_of_volatile = __LINE__ - 4;

// Each thread is to count itself; but only the first one finds what it expects.
GS_FN void tries_again_without_looking(gs::thread, counts sum) {
  const unsigned seen = 0;
  while (gs::atomic_ref(sum[0]).compare_exchange(seen, seen + 1) != seen) {
  }
}
constexpr unsigned line_of_exchange = __LINE__ - 3;

}  // namespace spin_test

namespace {

using namespace spin_test;
using gs::launch_options;
using runtime_test::refused;

bool on_engine() { return gs::current_device() == gs::device_kind::engine; }

gs::device_array<unsigned> zeros(std::size_t n) { return gs::to_device(std::vector<unsigned>(n)); }

// On the engine, only the plugin for g++ and the instruments learn of volatile loads.
bool sees_volatile() {
#if GRIDSTRIDE_SPLITS_BARRIERS || GRIDSTRIDE_CHECKED
  return true;
#else
  return !on_engine();
#endif
}
// Atomic operations tell that a thread spins, but not that it does nothing else.
#if GRIDSTRIDE_SPLITS_BARRIERS || GRIDSTRIDE_CHECKED
constexpr bool sees_loops = true;
#else
constexpr bool sees_loops = false;
#endif

std::vector<unsigned> descending(std::size_t groups, std::size_t n) {
  std::vector<unsigned> sums(groups * n);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = static_cast<unsigned>(n - 1 - i % n);
  return sums;
}

template <auto Kernel>
void expect_last_thread_first() {
  for (std::size_t grid : {1, 2, 7, 50})
    for (std::size_t block : {1, 2, 31, 32, 33, 64, 1024}) {
      if (grid * block > 8000) continue;  // each turn of all threads is one thread's last
      auto flags = zeros(grid * block), order = zeros(grid * block), place = zeros(grid);
      gs::launch<Kernel>({.grid = grid, .block = block}, flags, order, place);
      ASSERT_EQ(order.copy_to_host(), descending(grid, block)) << grid << " blocks of " << block;
    }
}
template <auto Kernel>
void expect_last_block_first(std::vector<std::size_t> blocks, bool cooperative = false) {
  for (std::size_t grid : {1, 2, 3, 7, 33, 50})
    for (std::size_t block : blocks) {
      auto flags = zeros(grid), order = zeros(grid), place = zeros(1);
      gs::launch<Kernel>({.grid = grid, .block = block, .cooperative = cooperative}, flags, order, place);
      std::vector<unsigned> expected = descending(1, grid);
      if (cooperative)
        for (unsigned& one : expected) one += static_cast<unsigned>(grid);
      ASSERT_EQ(order.copy_to_host(), expected) << grid << " blocks of " << block;
    }
}

TEST(spin, a_thread_waits_for_the_next_one_of_its_block) { expect_last_thread_first<last_thread_first>(); }
TEST(spin, a_thread_waits_with_a_volatile_pointer) {
  if (!sees_volatile()) GTEST_SKIP() << "nothing tells of volatile loads in this build";
  expect_last_thread_first<last_thread_first_volatile>();
}
TEST(spin, a_thread_waits_with_exchange) { expect_last_thread_first<last_thread_first_exchange>(); }
TEST(spin, a_thread_waits_with_compare_exchange) { expect_last_thread_first<last_thread_first_compared>(); }
TEST(spin, a_thread_waits_in_a_function_that_is_not_inlined) {
  expect_last_thread_first<last_thread_first_in_function>();
}

TEST(spin, a_lock_in_shared_memory_is_handed_on) {
  for (std::size_t grid : {1, 5, 40})
    for (std::size_t block : {1, 32, 33, 256}) {
      auto sums = zeros(grid);
      gs::launch<counts_under_lock>({.grid = grid, .block = block}, sums, 3u);
      ASSERT_EQ(sums.copy_to_host(), std::vector<unsigned>(grid, static_cast<unsigned>(3 * block)));
    }
}

TEST(spin, a_barrier_of_the_block_made_by_hand) {
  for (std::size_t grid : {1, 6})
    for (std::size_t block : {1, 31, 32, 33, 200, 1024}) {
      std::vector<unsigned> x(grid * block);
      std::iota(x.begin(), x.end(), 0u);
      auto a = gs::to_device(x), b = zeros(x.size());
      gs::launch<rotates_by_hand>({.grid = grid, .block = block}, a, b, 5u);
      const auto result = a.copy_to_host();
      for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_EQ(result[i], i / block * block + (i % block + 5) % block) << grid << " blocks of " << block;
    }
}

TEST(spin, two_threads_hand_a_token_to_and_fro) {
  for (std::size_t block : {2, 64}) {
    auto token = zeros(1);
    gs::launch<token_in_block>({.grid = 1, .block = block}, token, 10'000u);
    EXPECT_EQ(token.copy_to_host()[0], 20'000u);
  }
}

// What is given up is a launch in which nothing has happened for a second, not one that takes longer.
TEST(spin, threads_that_hand_a_token_on_may_take_their_time) {
  using clock = std::chrono::steady_clock;
  std::chrono::duration<double> elapsed{};
  for (unsigned times = 200'000; elapsed < std::chrono::milliseconds(1200); times *= 2) {
    auto token = zeros(1);
    const auto start = clock::now();
    gs::launch<token_in_block>({.grid = 1, .block = 2}, token, times);
    ASSERT_EQ(token.copy_to_host()[0], 2 * times);
    elapsed = clock::now() - start;
  }
}

TEST(spin, a_block_waits_for_one_that_begins_after_it) { expect_last_block_first<last_block_first>({1, 32, 100}); }
TEST(spin, a_block_waits_while_its_other_threads_are_at_a_barrier) {
  if (!sees_volatile()) GTEST_SKIP() << "nothing tells of volatile loads in this build";
  expect_last_block_first<last_block_first_behind_barrier>({1, 33, 128});
}
TEST(spin, a_block_goes_round_with_barriers_in_the_loop) {
  expect_last_block_first<last_block_first_together>({1, 64});
}
TEST(spin, a_block_in_block_style_waits_for_another) { expect_last_block_first<last_block_first_in_block_style>({32}); }
TEST(spin, blocks_of_a_cooperative_launch_wait_for_each_other) {
  expect_last_block_first<meets_grid_and_spins>({1, 64}, true);
}

TEST(spin, a_scan_looks_back) {
  for (unsigned backwards : {0u, 1u})
    for (std::size_t grid : {1, 2, 9, 60})
      for (std::size_t block : {32, 64, 128}) {
        std::vector<unsigned> x(grid * block - 5), expected(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<unsigned>(i * 2654435761u >> 24);
        std::partial_sum(x.begin(), x.end(), expected.begin());
        auto on_device = gs::to_device(x), state = zeros(grid), sums = zeros(grid), totals = zeros(grid),
             next = zeros(1);
        gs::launch<scan_with_look_back>({.grid = grid, .block = block}, on_device, state, sums, totals, next,
                                        backwards);
        ASSERT_EQ(on_device.copy_to_host(), expected) << grid << " blocks of " << block;
      }
}

TEST(spin, a_barrier_of_the_grid_made_by_hand) {
  for (std::size_t block : {1, 32, 100, 256})
    for (std::size_t grid : {std::size_t{1}, std::size_t{2}, std::size_t{13},
                             std::min<std::size_t>(64, gs::cooperative_limit<rotates_over_grid>(block))}) {
      std::vector<unsigned> x(grid * block);
      std::iota(x.begin(), x.end(), 0u);
      auto a = gs::to_device(x), b = zeros(x.size()), arrived = zeros(1);
      gs::launch<rotates_over_grid>({.grid = grid, .block = block}, a, b, arrived, 4u);
      const auto result = a.copy_to_host();
      for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(result[i], (i + 4) % x.size()) << grid << " of " << block;
    }
}

TEST(spin, blocks_hand_numbers_to_each_other) {
  for (std::size_t pairs : {1, 2, 20}) {
    auto full = zeros(pairs), box = zeros(pairs), sums = zeros(pairs);
    gs::launch<hands_numbers_over>({.grid = 2 * pairs, .block = 32}, full, box, sums, 100u);
    EXPECT_EQ(sums.copy_to_host(), std::vector<unsigned>(pairs, 4950));
  }
}

TEST(spin, a_lock_over_the_grid) {
  for (std::size_t grid : {1, 4, 100})
    for (std::size_t block : {1, 32, 64, 1000}) {
      auto lock = zeros(1), count = zeros(1);
      gs::launch<counts_under_grid_lock>({.grid = grid, .block = block}, lock, count);
      ASSERT_EQ(count.copy_to_host()[0], grid * block);
    }
}

TEST(spin, a_kernel_waits_for_one_on_another_stream) {
  gs::stream first, second;
  auto flag = zeros(1), out = zeros(96);
  // CUDA loads a kernel at its first launch, and lets running kernels end before: this one would not end.
  auto another_flag = zeros(1);
  gs::launch<sets_flag>({.grid = 1, .block = 1}, another_flag);
  gs::synchronize();
  gs::launch<waits_for_flag>({.grid = 3, .block = 32, .stream = first}, flag, out);
  gs::launch<sets_flag>({.grid = 1, .block = 1, .stream = second}, flag);
  gs::synchronize();
  EXPECT_EQ(out.copy_to_host(), std::vector<unsigned>(96, 1));
}

TEST(spin, a_loop_that_gets_new_work_each_time_is_not_taken_for_one_that_waits) {
  auto next = zeros(1), done = zeros(20'000);
  gs::launch<takes_work>({.grid = 4, .block = 64}, next, done, 20'000u);
  EXPECT_EQ(done.copy_to_host(), std::vector<unsigned>(20'000, 64));
}

// --- what never ends -------------------------------------------------------------------------------------------------

std::string place(unsigned line) { return "spin_test.cpp:" + std::to_string(line); }

TEST(spin, a_flag_that_nobody_sets_is_told_with_its_line) {
  if (!sees_loops || !on_engine()) GTEST_SKIP() << "this kernel never ends here";
  for (std::size_t grid : {1, 3}) {
    auto flag = zeros(grid);
    EXPECT_TRUE(refused<gs::kernel_fault>(
        [&] {
          gs::launch<waits_for_nobody>({.grid = grid, .block = 64}, flag);
          gs::synchronize();
        },
        {"a loop that waits in kernel spin_test::waits_for_nobody", "thread 3 goes round at ",
         place(line_of_load) + " of block 0, where it reads the same each time",
         "let another thread write what it waits for"}));
  }
  auto flags = zeros(64), order = zeros(64), count = zeros(1);  // the engine is as it was
  gs::launch<last_thread_first>({.grid = 1, .block = 64}, flags, order, count);
  EXPECT_EQ(order.copy_to_host(), descending(1, 64));
}

TEST(spin, a_volatile_flag_that_nobody_sets_is_told_with_its_line) {
  if (!sees_loops || !on_engine()) GTEST_SKIP() << "this kernel never ends here";
  auto flag = zeros(1);
  EXPECT_TRUE(refused<gs::kernel_fault>(
      [&] {
        gs::launch<waits_for_nobody_volatile>({.grid = 2, .block = 33}, flag);
        gs::synchronize();
      },
      {"thread 0 goes round at ", place(line_of_volatile) + " of block 0"}));
}

TEST(spin, a_compare_exchange_that_expects_the_same_for_ever_is_told_with_its_line) {
  if (!sees_loops || !on_engine()) GTEST_SKIP() << "this kernel never ends here";
  auto sum = zeros(1);
  EXPECT_TRUE(refused<gs::kernel_fault>(
      [&] {
        gs::launch<tries_again_without_looking>({.grid = 1, .block = 2}, sum);
        gs::synchronize();
      },
      {"thread 1 goes round at ", place(line_of_exchange),
       "give a compare_exchange that is tried again the value that it has found"}));
}

TEST(spin, more_blocks_than_the_engine_holds_are_told) {
  if (!sees_loops || !on_engine()) GTEST_SKIP() << "this kernel never ends here";
  const std::size_t grid = 40;  // of 1024 threads
  auto flags = zeros(grid), order = zeros(grid), count = zeros(1);
  EXPECT_TRUE(refused<gs::kernel_fault>(
      [&] {
        gs::launch<last_block_first>({.grid = grid, .block = 1024}, flags, order, count);
        gs::synchronize();
      },
      {" blocks have not begun, because 16384 threads that wait are as many as the engine holds",
       "launch no more blocks than gs::cooperative_limit allows"}));
}

}  // namespace
