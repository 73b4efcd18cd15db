// Threads that meet at a barrier or in a warp, and yet come from different places of the kernel.

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/runtime/instruments/verdicts.h"

namespace {

using namespace runtime_test;
using enum gs::finding_kind;

struct row {
  gs::tile<int, 64> a;
};

inline void inlined_helper(gs::thread t, row& s, int value) {
  s.a[t.thread_rank()] = value;
  t.sync();
}
[[gnu::noinline]] void helper(gs::thread t, row& s, int value) {
  s.a[t.thread_rank()] = value;
  t.sync();
}
[[gnu::noinline]] void helper_of_a_helper(gs::thread t, row& s, int value) {
  helper(t, s, value);
  s.a[t.thread_rank()] += 1;
}

template <auto Helper>
void two_branches(gs::thread t, gs::shared<row> s, unsigned first, gs::view<int> x) {
  if (t.thread_rank() < first)
    Helper(t, *s, 1);  // the one
  else
    Helper(t, *s, 2);  // the other
  x[t.grid()] = s->a[63 - t.thread_rank()];
}
TEST(verdict_meeting, a_barrier_of_a_helper_that_two_branches_call) {
  const auto x = filled(128, 0);
  const auto launch = [&]<auto Helper>(unsigned first) {
    return [&x, first] { gs::launch<two_branches<Helper>>({.grid = 2, .block = 64}, first, x); };
  };
  const auto apart = [&](const auto& code, std::uint64_t count) {
    return verdict(code, {{divergent_barrier, "// the one", "// the other", "", count}},
                   all_instruments_but(gs::instrument::racecheck));
  };
  for (unsigned first : {1u, 32u, 63u}) {
    EXPECT_TRUE(apart(launch.operator()<inlined_helper>(first), 2)) << first;
    EXPECT_TRUE(apart(launch.operator()<helper>(first), 2)) << first;
    EXPECT_TRUE(apart(launch.operator()<helper_of_a_helper>(first), 2)) << first;
  }
  for (unsigned first : {0u, 64u}) {  // where all take one branch
    EXPECT_TRUE(clean(launch.operator()<inlined_helper>(first), all_instruments_but(gs::instrument::racecheck)));
    EXPECT_TRUE(clean(launch.operator()<helper>(first), all_instruments_but(gs::instrument::racecheck)));
    EXPECT_TRUE(clean(launch.operator()<helper_of_a_helper>(first), all_instruments_but(gs::instrument::racecheck)));
  }
}

// The compiler may make two barriers of one, so that it need not ask twice.
void ask_twice(gs::thread t, gs::shared<row> s, gs::view<int> x) {
  const bool low = t.thread_rank() < 32;
  if (low) s->a[t.thread_rank()] = 1;
  t.sync();
  if (low) x[t.grid()] = s->a[31 - t.thread_rank()];
  t.sync();
  helper(t, *s, 3);
  if (low) x[t.grid()] += s->a[63 - t.thread_rank()];
}
void in_a_loop(gs::thread t, gs::shared<row> s, unsigned rounds, gs::view<int> x) {
  for (unsigned i = 0; i < rounds; ++i) {
    helper(t, *s, static_cast<int>(i));
    inlined_helper(t, *s, static_cast<int>(i));
    t.sync();
  }
  x[t.grid()] = s->a[t.thread_rank()];
}
void return_early(gs::thread t, gs::shared<row> s, gs::view<int> x) {
  if (t.thread_rank() >= 40) return;
  helper(t, *s, 1);
  x[t.grid()] = s->a[39 - t.thread_rank()];
}
TEST(verdict_meeting, the_same_call_is_one_place) {
  const auto x = filled(128, 0);
  const gs::launch_options options{.grid = 2, .block = 64};
  EXPECT_TRUE(clean([&] { gs::launch<ask_twice>(options, x); }));
  for (unsigned rounds : {1u, 2u, 5u}) EXPECT_TRUE(clean([&] { gs::launch<in_a_loop>(options, rounds, x); })) << rounds;
  EXPECT_TRUE(clean([&] { gs::launch<return_early>(options, x); }));
}

[[gnu::noinline]] void meet_the_grid(gs::thread t) { t.grid_sync(); }
void grid_in_branches(gs::thread t, gs::view<int> x) {
  x[t.grid()] = 1;
  if (t.thread_rank() < 16)
    meet_the_grid(t);  // low
  else
    meet_the_grid(t);  // high
  x[t.grid()] += 1;
}
void grid_at_two_places(gs::thread t, gs::view<int> x) {
  x[t.grid()] = 1;
  if (t.thread_rank() < 16)
    t.grid_sync();  // low place
  else
    t.grid_sync();  // high place
  x[t.grid()] += 1;
}
TEST(verdict_meeting, a_barrier_of_the_grid) {
  const auto x = filled(64, 0);
  const gs::launch_options options{.grid = 2, .block = 32, .cooperative = true};
  EXPECT_TRUE(
      verdict([&] { gs::launch<grid_in_branches>(options, x); }, {{divergent_barrier, "// low", "// high", "", 2}}));
  EXPECT_TRUE(verdict([&] { gs::launch<grid_at_two_places>(options, x); },
                      {{divergent_barrier, "// low place", "// high place", "", 2}}));
}

void shuffles_in_branches(gs::thread t, std::uint32_t low, std::uint32_t high, gs::view<int> x) {
  int value = 0;
  if (t.lane() < 16)
    value = t.shuffle_xor(static_cast<int>(t.lane()), 1, low);  // low
  else
    value = t.shuffle_xor(static_cast<int>(t.lane()), 2, high);  // high
  x[t.grid()] = value;
}
void votes_in_branches(gs::thread t, gs::view<int> x) {
  if (t.lane() % 2 == 0)
    x[t.grid()] = t.any(t.lane() > 3);  // even
  else
    x[t.grid()] = t.any(t.lane() > 5);  // odd
}
[[gnu::noinline]] int sum_of_warp(gs::thread t, int value) {
  for (unsigned i = 16; i > 0; i /= 2) value += t.shuffle_down(value, i);
  return value;
}
void sums_in_branches(gs::thread t, gs::view<int> x) {
  if (t.lane() < 7)
    x[t.grid()] = sum_of_warp(t, 1);  // the few
  else
    x[t.grid()] = sum_of_warp(t, 2);  // the many
}
void one_sum(gs::thread t, gs::view<int> x) { x[t.grid()] = sum_of_warp(t, t.lane() < 7 ? 1 : 2); }
void barriers_of_warps(gs::thread t, gs::view<int> x) {
  if (t.lane() < 16)
    t.warp_sync();
  else
    t.warp_sync();
  x[t.grid()] = static_cast<int>(gs::popcount(t.active_mask()));
}
TEST(verdict_meeting, lanes_of_two_branches) {
  const auto x = filled(64, 0);
  const gs::launch_options options{.grid = 1, .block = 64};
  const auto shuffle = [&](std::uint32_t low, std::uint32_t high) {
    return [&x, options, low, high] { gs::launch<shuffles_in_branches>(options, low, high, x); };
  };
  EXPECT_TRUE(verdict(shuffle(~0u, ~0u), {{divergent_lanes, "// low", "// high", "", 2}})) << "in each warp";
  EXPECT_TRUE(clean(shuffle(0x0000ffffu, 0xffff0000u))) << "each branch names its lanes";
  EXPECT_TRUE(
      verdict([&] { gs::launch<votes_in_branches>(options, x); }, {{divergent_lanes, "// even", "// odd", "", 2}}));
  EXPECT_TRUE(verdict([&] { gs::launch<sums_in_branches>(options, x); },
                      {{divergent_lanes, "// the few", "// the many", "", 10}}));
  EXPECT_TRUE(clean([&] { gs::launch<one_sum>(options, x); }));
  EXPECT_TRUE(clean([&] { gs::launch<barriers_of_warps>(options, x); })) << "CUDA lets lanes meet at two of them";
}

}  // namespace
