// Races that only another order of threads and blocks shows, and what it leaves behind: nothing but findings.

#include <gtest/gtest.h>

#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "tests/runtime/instruments/verdicts.h"

namespace {

using namespace runtime_test;
using enum gs::finding_kind;

gs::inspect_options in_orders(unsigned orders) {
  gs::inspect_options options;
  options.orders = orders;
  return options;
}
std::vector<int> counted_up(std::size_t n) {
  std::vector<int> x(n);
  std::iota(x.begin(), x.end(), 0);
  return x;
}

// --- tickets ---------------------------------------------------------------------------------------------------------

// The thread that draws ticket k writes element k: that is thread k only if the threads come in their order.
template <bool by_ticket>
void ticket_in_block(gs::thread t, gs::view<int> next, gs::view<int> x, gs::view<int> y) {
  const int ticket = gs::atomic_ref(next[0]).fetch_add(1);
  x[ticket] = ticket;
  y[ticket] = x[by_ticket ? static_cast<unsigned>(ticket) : t.thread_rank()];
}
template <bool by_ticket>
void ticket_of_block(gs::thread t, gs::view<int> next, gs::view<int> x, gs::view<int> y) {
  if (t.thread_rank() != 0) return;
  const auto block = static_cast<int>(t.block_idx().x);
  const int ticket = gs::atomic_ref(next[0]).fetch_add(1);
  x[ticket] = 1;
  y[ticket] = x[by_ticket ? ticket : block];
}
struct ticket_in_shared_memory {
  int next;
  gs::tile<int, 64> list;
};
template <bool by_ticket>
void shared_ticket(gs::thread t, gs::shared<ticket_in_shared_memory> s, gs::view<int> y) {
  if (t.thread_rank() == 0) s->next = 0;
  t.sync();
  const int ticket = gs::atomic_ref(s->next).fetch_add(1);
  s->list[ticket] = 1;
  const unsigned mine = by_ticket ? static_cast<unsigned>(ticket) : t.thread_rank();
  y[t.grid()] = s->list[mine];
}
TEST(verdict_order, a_ticket_that_equals_the_rank) {
  const auto x = filled(128, 0), y = filled(128, 0);
  const auto next = [] { return filled(1, 0); };
  EXPECT_TRUE(clean([&] { gs::launch<ticket_in_block<true>>({.block = 128}, next(), x, y); }));
  EXPECT_TRUE(clean([&] { gs::launch<ticket_in_block<false>>({.block = 128}, next(), x, y); }, in_orders(1)));
  EXPECT_TRUE(verdict([&] { gs::launch<ticket_in_block<false>>({.block = 128}, next(), x, y); },
                      {{race_in_block, "x[ticket] = ticket", "y[ticket] = x[by_ticket", "x[64]", 0}}));
  EXPECT_TRUE(clean([&] { gs::launch<ticket_of_block<true>>({.grid = 24, .block = 4}, next(), x, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<ticket_of_block<false>>({.grid = 24, .block = 4}, next(), x, y); },
                      {{race_between_blocks, "x[ticket] = 1", "y[ticket] = x[by_ticket", "x[12]", 0}}));
  EXPECT_TRUE(clean([&] { gs::launch<shared_ticket<true>>({.grid = 2, .block = 64}, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<shared_ticket<false>>({.grid = 2, .block = 64}, y); },
                      {{race_in_block, "s->list[ticket] = 1", "= s->list[mine]", "[32]", 0}}));
}

// --- the last block --------------------------------------------------------------------------------------------------

template <bool by_number>
void last_block_sums(gs::thread t, gs::view<float> part, gs::view<unsigned> done, gs::view<float> total) {
  if (t.thread_rank() != 0) return;
  part[t.block_idx().x] = 1;
  t.device_fence();
  const unsigned arrived = gs::atomic_ref(done[0]).fetch_add(1u) + 1;
  if (by_number ? t.block_idx().x + 1 < t.grid_dim().x : arrived < t.grid_dim().x) return;
  float sum = 0;
  for (std::size_t b = 0; b < part.size(); ++b) sum += part[b];
  total[0] = sum;
}
template <bool by_number>
void last_warp_sums(gs::thread t, gs::view<float> part, gs::view<unsigned> done, gs::view<float> total) {
  if (t.lane() == 0) part[t.warp()] = 1;
  if (t.lane() != 0) return;
  t.block_fence();
  const unsigned arrived = gs::atomic_ref(done[0]).fetch_add(1u) + 1;
  if (by_number ? t.warp() + 1 < part.size() : arrived < part.size()) return;
  float sum = 0;
  for (std::size_t w = 0; w < part.size(); ++w) sum += part[w];
  total[0] = sum;
}
TEST(verdict_order, the_last_one_by_its_number) {
  const auto part = filled(8, 0.0f), total = filled(1, 0.0f);
  const auto done = [] { return filled(1, 0u); };
  EXPECT_TRUE(clean([&] { gs::launch<last_block_sums<false>>({.grid = 8, .block = 2}, part, done(), total); }));
  EXPECT_EQ(total.copy_to_host()[0], 8);
  EXPECT_TRUE(verdict([&] { gs::launch<last_block_sums<true>>({.grid = 8, .block = 2}, part, done(), total); },
                      {{race_between_blocks, "part[t.block_idx().x] = 1", "sum += part[b]", "part[6]", 7}}));
  EXPECT_EQ(total.copy_to_host()[0], 8);
  EXPECT_TRUE(clean([&] { gs::launch<last_warp_sums<false>>({.block = 256}, part, done(), total); }));
  EXPECT_TRUE(verdict([&] { gs::launch<last_warp_sums<true>>({.block = 256}, part, done(), total); },
                      {{race_in_block, "part[t.warp()] = 1", "sum += part[w]", "part[6]", 7}}));
}

// --- flags -----------------------------------------------------------------------------------------------------------

template <bool tested>
void take_from_the_block_before(gs::thread t, gs::view<int> ready, gs::view<int> value, gs::view<int> y) {
  const unsigned block = t.block_idx().x;
  if (block > 0) {
    const bool there = gs::atomic_ref(ready[block - 1]).load() == 1;
    t.device_fence();
    if (there || !tested) y[block] = value[block - 1];
  }
  value[block] = 1;
  t.device_fence();
  gs::atomic_ref(ready[block]).store(1);
}
template <bool tested>
void take_from_thread_0(gs::thread t, gs::view<int> ready, gs::view<int> value, gs::view<int> y) {
  if (t.thread_rank() == 0) {
    value[0] = 1;
    t.block_fence();
    gs::atomic_ref(ready[0]).store(1);
  } else {
    const bool there = gs::atomic_ref(ready[0]).load() == 1;
    t.block_fence();
    if (there || !tested) y[t.thread_rank()] = value[0];
  }
}
TEST(verdict_order, a_flag_that_is_loaded_and_not_tested) {
  const auto value = filled(40, 0), y = filled(40, 0);
  const auto ready = [] { return filled(40, 0); };
  EXPECT_TRUE(clean([&] { gs::launch<take_from_the_block_before<true>>({.grid = 40}, ready(), value, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<take_from_the_block_before<false>>({.grid = 40}, ready(), value, y); },
                      {{race_between_blocks, "value[block] = 1", "y[block] = value[block - 1]", "value[38]", 39}}));
  EXPECT_TRUE(clean([&] { gs::launch<take_from_thread_0<true>>({.block = 40}, ready(), value, y); }));
  EXPECT_TRUE(verdict([&] { gs::launch<take_from_thread_0<false>>({.block = 40}, ready(), value, y); },
                      {{race_in_block, "value[0] = 1", "y[t.thread_rank()] = value[0]", "value[0]", 0}}));
}

// --- worklists -------------------------------------------------------------------------------------------------------

// The first half of the blocks fills the list, the second takes from it: what is there, or whatever is.
template <bool published>
void fill_and_take(gs::thread t, gs::view<int> list, gs::view<int> filled_up, gs::view<int> tail, gs::view<int> y) {
  const unsigned half = t.grid_dim().x / 2, block = t.block_idx().x;
  if (block < half) {
    const int at = gs::atomic_ref(tail[0]).fetch_add(1);
    list[at] = static_cast<int>(block);
    t.device_fence();
    gs::atomic_ref(filled_up[at]).store(1);
  } else {
    const unsigned at = block - half;
    const bool there = gs::atomic_ref(filled_up[at]).load() == 1;
    if (published && !there) return;
    t.device_fence();
    y[at] = list[at];
  }
}
// Threads take work and add work; none waits until an item that is counted is also written.
template <bool published>
void grow(gs::thread t, gs::view<int> list, gs::view<int> there, gs::view<int> head, gs::view<int> tail,
          gs::view<int> y) {
  for (int step = 0; step < 4; ++step) {
    const int item = gs::atomic_ref(head[0]).load();
    if (item >= gs::atomic_ref(tail[0]).load()) return;
    if (gs::atomic_ref(head[0]).compare_exchange(item, item + 1) != item) continue;
    if (published && gs::atomic_ref(there[item]).load() == 0) return;
    t.device_fence();
    y[item] = list[item];
    const int at = gs::atomic_ref(tail[0]).fetch_add(1);
    if (static_cast<std::size_t>(at) >= list.size()) return;
    list[at] = item;
    t.device_fence();
    if (published) gs::atomic_ref(there[at]).store(1);
  }
}
TEST(verdict_order, a_worklist_that_is_consumed_while_it_is_filled) {
  const auto list = filled(256, 0), y = filled(256, 0);
  const auto zeros = [](std::size_t n) { return filled(n, 0); };
  EXPECT_TRUE(clean([&] { gs::launch<fill_and_take<true>>({.grid = 32}, list, zeros(32), zeros(1), y); }));
  EXPECT_TRUE(
      clean([&] { gs::launch<fill_and_take<false>>({.grid = 32}, list, zeros(32), zeros(1), y); }, in_orders(1)));
  EXPECT_FALSE(clean([&] { gs::launch<fill_and_take<false>>({.grid = 32}, list, zeros(32), zeros(1), y); }));
  const auto ones = [] { return gs::to_device(std::vector<int>{1, 0, 0, 0, 0, 0}); };
  const auto published = [] {
    std::vector<int> there(256);
    there[0] = 1;
    return gs::to_device(there);
  };
  EXPECT_TRUE(
      clean([&] { gs::launch<grow<true>>({.grid = 16}, list, published(), zeros(1), filled(1, 1), y); }, in_orders(4)));
  EXPECT_FALSE(
      clean([&] { gs::launch<grow<false>>({.grid = 16}, list, ones(), zeros(1), filled(1, 1), y); }, in_orders(4)));
}

// --- neighbours ------------------------------------------------------------------------------------------------------

template <int distance, bool wait>
void shift(gs::thread t, gs::view<int> x) {
  const auto i = static_cast<std::ptrdiff_t>(t.thread_rank());
  const std::ptrdiff_t from = i + distance;
  const bool inside = from >= 0 && from < static_cast<std::ptrdiff_t>(x.size());
  const int value = inside ? x[from] : 0;
  if (wait) t.sync();
  x[i] = value;
}
TEST(verdict_order, neighbours_on_either_side) {
  const auto x = gs::to_device(counted_up(64));
  for (const unsigned orders : {1u, 2u, 5u}) {
    EXPECT_TRUE(clean([&] { gs::launch<shift<1, true>>({.block = 64}, x); }, in_orders(orders)));
    EXPECT_TRUE(clean([&] { gs::launch<shift<-1, true>>({.block = 64}, x); }, in_orders(orders)));
  }
  EXPECT_TRUE(verdict([&] { gs::launch<shift<1, false>>({.block = 64}, x); },
                      {{race_in_block, "x[i] = value", "? x[from]", "x[1]", 63}}));
  EXPECT_TRUE(verdict([&] { gs::launch<shift<-1, false>>({.block = 64}, x); },
                      {{race_in_block, "? x[from]", "x[i] = value", "x[0]", 63}}));
}

// --- look-back, many fences ------------------------------------------------------------------------------------------

// Blocks draw their tiles, and look at one after the other of those before: two fences for each.
template <bool fenced, bool drawn>
void scan(gs::thread t, gs::view<int> next, gs::view<int> state, gs::view<int> sum, gs::view<int> y) {
  if (t.thread_rank() != 0) return;
  const int tile = drawn ? gs::atomic_ref(next[0]).fetch_add(1) : static_cast<int>(t.block_idx().x);
  sum[tile] = 1;
  t.device_fence();
  gs::atomic_ref(state[tile]).store(1);
  int total = 1;
  for (int before = tile - 1; before >= 0; --before) {
    while (gs::atomic_ref(state[before]).load() == 0) {
    }
    if (fenced) t.device_fence();
    total += sum[before];
    t.device_fence();
  }
  y[tile] = total;
}
// A thread that reads before the flag has been looked at.
void scan_too_early(gs::thread t, gs::view<int> state, gs::view<int> sum, gs::view<int> y) {
  if (t.thread_rank() != 0) return;
  const unsigned tile = t.block_idx().x;
  int total = 0;
  for (unsigned before = 0; before < tile; ++before) {
    total += sum[before];
    t.device_fence();
    total += gs::atomic_ref(state[before]).load();
  }
  sum[tile] = total;
  t.device_fence();
  gs::atomic_ref(state[tile]).store(1);
  y[tile] = total;
}
TEST(verdict_order, look_back_over_many_tiles) {
  for (const unsigned tiles : {15u, 16u, 17u, 24u, 100u}) {
    const auto zeros = [&] { return filled(tiles, 0); };
    const auto y = zeros();
    EXPECT_TRUE(
        clean([&] { gs::launch<scan<true, true>>({.grid = tiles, .block = 32}, zeros(), zeros(), zeros(), y); }));
    EXPECT_EQ(y.copy_to_host().back(), static_cast<int>(tiles));
    EXPECT_TRUE(
        clean([&] { gs::launch<scan<true, false>>({.grid = tiles, .block = 32}, zeros(), zeros(), zeros(), y); }));
    EXPECT_FALSE(clean([&] { gs::launch<scan_too_early>({.grid = tiles, .block = 32}, zeros(), zeros(), y); }));
  }
}

template <bool fenced>
void many_locked_additions(gs::thread t, gs::view<int> lock, gs::view<int> sum, int times) {
  for (int k = 0; k < times; ++k) {
    while (gs::atomic_ref(lock[0]).compare_exchange(0, 1) != 0) {
    }
    if (fenced) t.device_fence();
    sum[0] += 1;
    if (fenced) t.device_fence();
    gs::atomic_ref(lock[0]).exchange(0);
  }
}
template <bool fenced>
void many_fences_alone(gs::thread t, gs::view<int> ready, gs::view<int> x, gs::view<int> y, int fences) {
  if (t.thread_rank() == 0) {
    for (int k = 0; k < fences; ++k) t.block_fence();
    x[0] = 1;
    if (fenced) t.block_fence();
    gs::atomic_ref(ready[0]).store(1);
  } else if (gs::atomic_ref(ready[0]).load() == 1) {
    t.block_fence();
    y[t.thread_rank()] = x[0];
  }
}
TEST(verdict_order, fences_without_end) {
  const auto sum = filled(1, 0);
  for (const int times : {7, 8, 9, 40}) {
    EXPECT_TRUE(
        clean([&] { gs::launch<many_locked_additions<true>>({.grid = 3, .block = 33}, filled(1, 0), sum, times); }));
    EXPECT_FALSE(
        clean([&] { gs::launch<many_locked_additions<false>>({.grid = 3, .block = 33}, filled(1, 0), sum, times); }));
  }
  EXPECT_EQ(sum.copy_to_host()[0], 2 * 99 * (7 + 8 + 9 + 40));
  const auto x = filled(1, 0), y = filled(40, 0);
  for (const int fences : {0, 14, 15, 16, 1000, 140'000}) {
    EXPECT_TRUE(clean([&] { gs::launch<many_fences_alone<true>>({.block = 40}, filled(1, 0), x, y, fences); }));
    EXPECT_FALSE(clean([&] { gs::launch<many_fences_alone<false>>({.block = 40}, filled(1, 0), x, y, fences); }));
  }
}

// --- what other orders leave behind ----------------------------------------------------------------------------------

void count_up(gs::thread t, gs::view<int> x, gs::view<int> order, gs::view<int> next) {
  x[t.grid()] += 1;
  order[t.grid()] = gs::atomic_ref(next[0]).fetch_add(1);
}
TEST(verdict_order, results_and_counters_are_the_first_orders) {
  for (const unsigned orders : {1u, 2u, 3u, 8u}) {
    const auto x = filled(3000, 0), order = filled(3000, 0), next = filled(1, 0);
    const auto result = gs::inspect(
        [&] {
          for (int i = 0; i < 3; ++i) gs::launch<count_up>({.grid = 30, .block = 100}, x, order, next);
        },
        in_orders(orders));
    EXPECT_TRUE(result.clean());
    EXPECT_EQ(result.orders, orders);
    EXPECT_TRUE(result.notes.empty());
    EXPECT_EQ(x.copy_to_host(), std::vector<int>(3000, 3));
    const std::vector<int> turns = order.copy_to_host();
    for (int i = 0; i < 3000; ++i) ASSERT_EQ(turns[static_cast<std::size_t>(i)], 6000 + i);
    ASSERT_EQ(result.kernels.size(), 1u);
    EXPECT_EQ(result.kernels[0].launches, 3u);
    EXPECT_EQ(result.kernels[0].accesses, 4u * 3 * 3000);
  }
}

void add_pairs(gs::block<32> block, gs::shared<gs::tile<int, 32>> s, gs::view<int> x) {
  gs::per_thread sum(block, 0);
  block.each([&](auto t) { (*s)[t.rank()] = x[t.grid_x()]; });
  block.each([&](auto t) { sum[t] = (*s)[t.rank()] + (*s)[31 - t.rank()]; });
  block.each([&](auto t) { x[t.grid_x()] = sum[t]; });
  block.each_of(32, [&](std::size_t i) { x[block.block_rank() * 32 + i] += 1; });
  block.each_of(4, 8, [&](std::size_t row, std::size_t column) { x[block.block_rank() * 32 + 8 * row + column] += 1; });
}
void use_everything(gs::thread t, gs::view<int> x, gs::view<int> y) {
  int v = x[t.grid()];
  v += t.shuffle_xor(v, 1);
  if (t.lane() % 3 == 0) v += static_cast<int>(t.ballot(v > 3, t.active_mask()) & 0xff);
  const unsigned many = t.sync_count(v % 2 == 0);
  if (t.thread_rank() >= 40) return;
  t.sync();
  y[t.grid()] = v + static_cast<int>(many);
  if (t.thread_rank() < 32) y[t.grid()] += t.shuffle_down(v, 5);
  t.sync();
}
void rotate(gs::thread t, gs::view<int> x, gs::view<int> y) {
  y[t.grid()] = x[t.grid()] + 1;
  t.grid_sync();
  x[t.grid()] = y[(t.grid() + 32) % y.size()];
  t.grid_sync();
  gs::atomic_ref(x[0]).fetch_add(t.grid() == 0 ? 1 : 0);
}
// What the kernels leave in their arrays.
struct everything_used {
  gs::device_array<int> x = gs::to_device(counted_up(288)), y = filled(288, 0), z = gs::to_device(counted_up(288)),
                        w = filled(288, 0);
  void launch() {
    gs::launch<add_pairs>({.grid = 9}, x);
    gs::launch<use_everything>({.grid = 3, .block = 96}, x, y);
    gs::launch<rotate>({.grid = 3, .block = 96, .cooperative = true}, z, w);
  }
  std::vector<std::vector<int>> values() const {
    return {x.copy_to_host(), y.copy_to_host(), z.copy_to_host(), w.copy_to_host()};
  }
};
TEST(verdict_order, whatever_a_kernel_uses) {
  everything_used uninspected;
  uninspected.launch();
  for (const unsigned orders : {1u, 2u, 6u}) {
    everything_used inspected;
    const auto result = gs::inspect([&] { inspected.launch(); }, in_orders(orders));
    EXPECT_TRUE(result.clean()) << text_of(result);
    EXPECT_TRUE(result.notes.empty());
    EXPECT_EQ(inspected.values(), uninspected.values()) << orders;
  }
}

void odd_barriers(gs::thread t, gs::view<int> x) {
  x[t.grid()] += 1;
  if (t.thread_rank() == 7)
    t.sync();
  else
    t.sync();
  x[t.grid()] += 1;
}
void fail_at(gs::thread t, gs::view<int> x, unsigned thread) {
  x[t.grid()] += 1;
  t.sync();
  if (t.grid() == thread) throw std::runtime_error("thread " + std::to_string(thread));
  x[t.grid()] += 1;
}
void fail_first(gs::thread t, gs::view<int> next) {
  if (gs::atomic_ref(next[0]).fetch_add(1) == 0 && t.thread_rank() == 63) throw std::runtime_error("63 came first");
}
TEST(verdict_order, kernels_that_stop) {
  const auto x = filled(64, 0);
  EXPECT_TRUE(verdict([&] { gs::launch<odd_barriers>({.block = 64}, x); },
                      {{divergent_barrier, "t.sync()", "t.sync()", "", 1}}));
  EXPECT_EQ(x.copy_to_host(), std::vector<int>(64, 1));
  const auto y = filled(128, 0);
  const gs::inspection failed =
      gs::inspect([&] { gs::launch<fail_at>({.grid = 2, .block = 64}, y, 70); }, all_instruments());
  EXPECT_TRUE(failed.findings.empty());
  ASSERT_TRUE(failed.failure);
  EXPECT_THROW(std::rethrow_exception(failed.failure), std::runtime_error);
  const std::vector<int> left = y.copy_to_host();
  EXPECT_EQ(std::vector<int>(left.begin(), left.begin() + 64), std::vector<int>(64, 2));
  EXPECT_EQ(left[70], 1);
  for (std::size_t i = 64; i < 128; ++i)  // how far the others of its block came
    EXPECT_TRUE(left[i] == 1 || left[i] == 2) << left[i] << " at " << i;
  // Only in another order: a note.
  const auto first = filled(1, 0);
  const gs::inspection noted = gs::inspect([&] { gs::launch<fail_first>({.block = 64}, first); }, all_instruments());
  EXPECT_TRUE(noted.clean());
  ASSERT_EQ(noted.notes.size(), 1u);
  EXPECT_NE(
      noted.notes[0].find("fail_first was observed in one order of its threads only: in another it stops: 63 came "
                          "first"),
      std::string::npos)
      << noted.notes[0];
  EXPECT_EQ(first.copy_to_host()[0], 64);
}

int kernels_run = 0;
struct {
  char c;
  double d;
} of_the_program{1, 1.0};
void have_effects(gs::thread t, gs::view<int> x) {
  gs::print(t, "printed once");
  std::printf("by printf %d\n", static_cast<int>(t.grid()));
  std::printf("by puts\n");
  x[t.grid()] = 1;
  if (t.grid() == 0) {
    ++kernels_run;
    of_the_program.c += 1;
    of_the_program.d += 1;
  }
}
TEST(verdict_order, printing_and_variables_of_the_program) {
  const auto x = filled(2, 0);
  testing::internal::CaptureStdout();
  const gs::inspection result = gs::inspect([&] { gs::launch<have_effects>({.block = 2}, x); }, in_orders(5));
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "block (0, 0, 0) thread (0, 0, 0): printed once\nby printf 0\nby puts\n"
            "block (0, 0, 0) thread (1, 0, 0): printed once\nby printf 1\nby puts\n");
  EXPECT_EQ(kernels_run, 1);
  EXPECT_EQ(of_the_program.c, 2);
  EXPECT_EQ(of_the_program.d, 2);
  EXPECT_EQ(x.copy_to_host(), std::vector<int>(2, 1));
}

void write_all(gs::thread t, gs::view<int> x) {
  for (auto i : t.grid_stride(x.size())) x[i] += 1;
}
TEST(verdict_order, too_little_memory_for_a_snapshot) {
  const auto x = filled(100'000, 0);
  gs::inspect_options options;
  options.snapshot_bytes = 100'000;
  const gs::inspection result = gs::inspect(
      [&] {
        gs::launch<write_all>({.grid = 10, .block = 64}, x);
        gs::launch<write_all>({.grid = 10, .block = 64}, x);
      },
      options);
  EXPECT_TRUE(result.clean());
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].find("one order of its threads only: it writes more than there is memory to save"),
            std::string::npos);
  EXPECT_EQ(x.copy_to_host(), std::vector<int>(100'000, 2));
  options.snapshot_bytes = 1'000'000;
  EXPECT_TRUE(gs::inspect([&] { gs::launch<write_all>({.grid = 10, .block = 64}, x); }, options).notes.empty());
  EXPECT_EQ(x.copy_to_host(), std::vector<int>(100'000, 3));
}

// What only another order writes is still what nothing wrote.
void mark_the_first(gs::thread t, gs::view<int> next, gs::view<int> x) {
  if (gs::atomic_ref(next[0]).fetch_add(1) == 0) x[t.grid()] = 1;
}
void copy_all(gs::thread t, gs::view<const int> x, gs::view<int> y) { y[t.grid()] = x[t.grid()]; }
TEST(verdict_order, other_orders_write_nothing) {
  const auto y = filled(32, 0);
  const auto result = gs::inspect(
      [&] {
        const gs::device_array<int> x(32);
        gs::launch<mark_the_first>({.block = 32}, filled(1, 0), x);
        gs::launch<copy_all>({.block = 32}, x, y);
      },
      all_instruments());
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, uninitialized_read);
  EXPECT_EQ(result.findings[0].count, 31u);
}

TEST(verdict_order, every_order_is_a_permutation) {
  for (const unsigned number : {0u, 1u, 2u, 3u, 100u})
    for (const std::size_t n : {1u, 2u, 31u, 32u, 33u, 1009u, 4096u}) {
      const gs::instruments::run_order order(number);
      std::vector<bool> met(n);
      std::size_t in_place = 0;
      for (std::size_t turn = 0; turn < n; ++turn) {
        ASSERT_LT(order.at(turn, n), n);
        EXPECT_FALSE(met[order.at(turn, n)]);
        met[order.at(turn, n)] = true;
        in_place += order.at(turn, n) == turn;
      }
      EXPECT_TRUE(number < 2 || n < 1000 || in_place < 20);
      EXPECT_TRUE(number != 1 || order.at(0, n) == n - 1);
    }
  EXPECT_NE(gs::instruments::run_order(2).at(0, 1009), gs::instruments::run_order(3).at(0, 1009));
}

// --- many readers ----------------------------------------------------------------------------------------------------

void fill(gs::thread t, gs::view<float> y) { y[t.grid()] = 1; }
void add_one(gs::thread t, gs::view<const float> x, gs::view<float> y) { y[t.grid()] = x[t.grid()] + 1; }
void count_all(gs::thread t, gs::view<int> x) { gs::atomic_ref(x[t.grid()]).fetch_add(1); }
void set_zero(gs::thread t, gs::view<int> x) { x[t.grid()] = 0; }

// `readers` streams read x, the last one writes it after all of them but number `forgotten`.
template <class Read, class Write>
gs::inspection read_and_write(int readers, int forgotten, const Read& read, const Write& write) {
  std::vector<gs::stream> streams(static_cast<std::size_t>(readers) + 1);
  return gs::inspect(
      [&] {
        std::vector<gs::event> done(static_cast<std::size_t>(readers));
        for (int k = 0; k < readers; ++k) {
          const auto at = static_cast<std::size_t>(k);
          read(streams[at], k);
          done[at].record(streams[at]);
        }
        for (int k = 0; k < readers; ++k)
          if (k != forgotten) streams.back().wait(done[static_cast<std::size_t>(k)]);
        write(streams.back());
      },
      all_instruments());
}
TEST(verdict_order, the_writer_waits_for_all_streams_but_one) {
  for (const int readers : {3, 4, 8}) {
    const auto x = filled(64, 0.0f);
    const auto counters = filled(64, 0);
    std::vector<gs::device_array<float>> results;
    for (int k = 0; k < readers; ++k) results.push_back(filled(64, 0.0f));
    const auto read = [&](const gs::stream& s, int k) {
      gs::launch<add_one>({.grid = 2, .block = 32, .stream = s}, x, results[static_cast<std::size_t>(k)]);
    };
    const auto write = [&](const gs::stream& s) { gs::launch<fill>({.grid = 2, .block = 32, .stream = s}, x); };
    const auto count = [&](const gs::stream& s, int) { gs::launch<count_all>({.block = 64, .stream = s}, counters); };
    const auto reset = [&](const gs::stream& s) { gs::launch<set_zero>({.block = 64, .stream = s}, counters); };
    EXPECT_TRUE(read_and_write(readers, -1, read, write).clean());
    EXPECT_TRUE(read_and_write(readers, -1, count, reset).clean());
    for (int forgotten = 0; forgotten < readers; ++forgotten) {
      for (const gs::inspection& result :
           {read_and_write(readers, forgotten, read, write), read_and_write(readers, forgotten, count, reset)}) {
        ASSERT_EQ(result.findings.size(), 1u) << readers << " readers without " << forgotten;
        EXPECT_EQ(result.findings[0].kind, race_between_streams);
        EXPECT_EQ(result.findings[0].count, 64u);
      }
    }
  }
}

// All blocks read x[0], the one that comes last writes it; block `forgotten` doesn't say when it has read.
void last_block_writes(gs::thread t, gs::view<float> x, gs::view<float> y, gs::view<unsigned> done,
                       unsigned forgotten) {
  y[t.grid()] = x[0];
  t.sync();
  const unsigned block = t.block_idx().x;
  if (t.thread_rank() != 0 || block == forgotten) return;
  t.device_fence();
  const unsigned others = forgotten < t.grid_dim().x ? t.grid_dim().x - 1 : t.grid_dim().x;
  if (gs::atomic_ref(done[0]).fetch_add(1u) + 1 == others) x[0] = 2;
}
// The same for a fence that comes before the read.
void fence_too_early(gs::thread t, gs::view<float> x, gs::view<float> y, gs::view<unsigned> done, unsigned wrong) {
  const unsigned block = t.block_idx().x;
  if (block == wrong) t.device_fence();
  y[block] = x[0];
  if (block != wrong) t.device_fence();
  if (gs::atomic_ref(done[0]).fetch_add(1u) + 1 == t.grid_dim().x) x[0] = 2;
}
// Of a warp's lanes, all read; those of the mask and the last one meet, and the last one writes.
void lanes_meet(gs::thread t, gs::shared<gs::tile<int, 1>> s, gs::view<int> y, unsigned left_out) {
  if (t.thread_rank() == 0) (*s)[0] = 1;
  t.sync();
  if (t.thread_rank() != 31) y[t.thread_rank()] = (*s)[0];
  if (t.thread_rank() != left_out) t.warp_sync(left_out < 32 ? ~(1u << left_out) : gs::full_mask);
  if (t.thread_rank() == 31) (*s)[0] = 2;
}
// The lanes of four warps read and count themselves, but one thread; the last one writes.
void last_thread_writes(gs::thread t, gs::view<int> x, gs::view<int> y, gs::view<unsigned> done, unsigned forgotten) {
  y[t.thread_rank()] = x[0];
  if (t.thread_rank() == forgotten) return;
  t.block_fence();
  const unsigned others = forgotten < t.block_size() ? t.block_size() - 1 : t.block_size();
  if (gs::atomic_ref(done[0]).fetch_add(1u) + 1 == others) x[0] = 2;
}
TEST(verdict_order, a_reader_behind_two_others) {
  const auto x = filled(1, 0.0f), y = filled(256, 0.0f);
  const auto z = filled(1, 0), w = filled(128, 0);
  const auto done = [] { return filled(1, 0u); };
  for (const unsigned forgotten : {0u, 1u, 2u, 3u, 5u, 7u})
    for (const unsigned orders : {1u, 2u}) {
      const auto is_race = [&](gs::finding_kind kind, const auto& code) {
        const gs::inspection result = gs::inspect(code, in_orders(orders));
        return result.findings.size() == 1 && result.findings[0].kind == kind;
      };
      EXPECT_TRUE(is_race(race_between_blocks, [&] {
        gs::launch<last_block_writes>({.grid = 8, .block = 32}, x, y, done(), forgotten);
      })) << forgotten;
      // Block 7 itself writes, where the blocks come in their order.
      EXPECT_EQ(
          is_race(race_between_blocks, [&] { gs::launch<fence_too_early>({.grid = 8}, x, y, done(), forgotten); }),
          forgotten < 7 || orders > 1)
          << forgotten;
      EXPECT_TRUE(is_race(race_in_block, [&] { gs::launch<lanes_meet>({.block = 32}, w, forgotten); })) << forgotten;
      EXPECT_TRUE(is_race(race_in_block, [&] {
        gs::launch<last_thread_writes>({.block = 128}, z, w, done(), forgotten * 17);
      })) << forgotten;
    }
  for (const unsigned orders : {1u, 2u, 5u}) {
    EXPECT_TRUE(
        clean([&] { gs::launch<last_block_writes>({.grid = 8, .block = 32}, x, y, done(), 100); }, in_orders(orders)));
    EXPECT_TRUE(clean([&] { gs::launch<fence_too_early>({.grid = 100}, x, y, done(), 1000); }, in_orders(orders)));
    EXPECT_TRUE(clean([&] { gs::launch<lanes_meet>({.block = 32}, w, 100); }, in_orders(orders)));
    EXPECT_TRUE(clean([&] { gs::launch<last_thread_writes>({.block = 128}, z, w, done(), 1000); }, in_orders(orders)));
  }
}

}  // namespace
