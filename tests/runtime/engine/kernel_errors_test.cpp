// What can go wrong while a kernel runs on the engine: each is reported by synchronize(), and the device goes on. (On a
// GPU the same programs hang, or give any result.)

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/gs.h"
#include "tests/runtime/refused.h"
#include "tests/runtime/starts_programs.h"

namespace {

using runtime_test::refused;

void part_waits(gs::thread t, gs::view<int> out) {
  if (t.thread_rank() < 16) t.sync();  // the first barrier
  out[t.thread_rank()] = 1;
  t.sync();  // the second
}
constexpr int line_of_first_barrier = __LINE__ - 4, line_of_second_barrier = __LINE__ - 2;

void fill_with(gs::thread t, int value, gs::view<int> out) {
  for (auto i : t.grid_stride(out.size())) out[i] = value;
}

class kernel_errors : public testing::Test {
 protected:
  kernel_errors() : before_(gs::current_device()) { gs::select_device(gs::device_kind::engine); }
  ~kernel_errors() override { gs::select_device(before_); }

  // The device goes on after an error.
  void expect_usable() {
    gs::device_array<int> out(64);
    gs::launch<fill_with>({.grid = 2, .block = 32}, 3, out);
    EXPECT_EQ(out.copy_to_host(), std::vector<int>(64, 3));
  }

 private:
  gs::device_kind before_;
};

using barrier_errors = kernel_errors;

TEST_F(barrier_errors, a_barrier_that_only_some_threads_reach_names_its_line) {
  gs::device_array<int> out(64);
  gs::launch<part_waits>({.grid = 3, .block = 64}, out);
  EXPECT_TRUE(refused([] { gs::synchronize(); }, {"part_waits", "thread 0 waits for the block at",
                                                  "kernel_errors_test.cpp:" + std::to_string(line_of_first_barrier),
                                                  "thread 16 waits for the block at",
                                                  "kernel_errors_test.cpp:" + std::to_string(line_of_second_barrier)}));
  expect_usable();
}

// clang-format off
void two_in_a_line(gs::thread t) { if (t.thread_rank() < 16) t.sync(); else t.sync(); }
// clang-format on
constexpr int line_of_both = __LINE__ - 2;

TEST_F(barrier_errors, two_barriers_in_a_line_have_columns) {
  gs::launch<two_in_a_line>({.grid = 1, .block = 64});
  const std::string place = "kernel_errors_test.cpp:" + std::to_string(line_of_both) + ":";
#if defined(__clang__)  // which means a call's first column, and g++ its bracket's
  EXPECT_TRUE(refused([] { gs::synchronize(); }, {place + "62", place + "77"}));
#else
  EXPECT_TRUE(refused([] { gs::synchronize(); }, {place + "68", place + "83"}));
#endif
}

void throw_after_barrier(gs::thread t, int faulty_thread, gs::view<int> unwound) {
  struct counter {
    int& count;
    ~counter() { ++count; }
  } on_the_way_out{unwound[0]};
  t.sync();
  if (static_cast<int>(t.thread_rank()) == faulty_thread)
    throw std::runtime_error("thread " + std::to_string(faulty_thread) + " threw");
  t.sync();
  t.sync();
}

TEST_F(barrier_errors, an_exception_is_reported_and_the_other_threads_are_unwound) {
  for (int faulty_thread : {0, 1, 33, 63}) {
    const auto unwound = gs::to_device(std::vector<int>{0});
    gs::launch<throw_after_barrier>({.grid = 1, .block = 64}, faulty_thread, unwound);
    try {
      gs::synchronize();
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& failure) {
      EXPECT_EQ(failure.what(), "thread " + std::to_string(faulty_thread) + " threw");
    }
    EXPECT_EQ(unwound.copy_to_host()[0], 64) << "every thread's objects are destroyed";
    expect_usable();
  }
}

// In a block that comes after others whose threads have all passed the barrier and ended.
enum class mishap {
  none,
  thrown_before,
  thrown_behind,
  other_barrier,
  overflow_before,
  overflow_behind,
  barriers_behind
};
int descend(int depth, gs::view<int> out);
void go_wrong_later(gs::thread t, mishap mishap_wanted, unsigned faulty_thread, gs::view<int> unwound,
                    gs::view<int> out) {
  struct counter {
    int& count;
    ~counter() { std::atomic_ref(count).fetch_add(1); }
  } on_the_way_out{unwound[0]};
  const bool mine = t.block_rank() == 20 && t.thread_rank() == faulty_thread;
  const auto goes = [&](mishap possible_mishap) { return mine && mishap_wanted == possible_mishap; };
  if (goes(mishap::thrown_before)) throw std::runtime_error("it threw");
  if (goes(mishap::overflow_before)) descend(1 << 30, out);
  if (goes(mishap::other_barrier))
    t.sync();
  else
    t.sync();
  if (goes(mishap::thrown_behind)) throw std::runtime_error("it threw");
  if (goes(mishap::overflow_behind)) descend(1 << 30, out);
  if (mishap_wanted == mishap::barriers_behind && t.block_rank() == 20 &&
      t.thread_rank() >= 40) {  // the others have ended
    if (t.thread_rank() % 2 == 0)
      t.sync();
    else
      t.sync();
  }
  out[t.grid()] = static_cast<int>(t.grid());
}

TEST_F(barrier_errors, a_block_may_fail_after_others_that_did_not) {
  constexpr unsigned blocks = 24, threads = 64;
  gs::device_array<int> out(blocks * threads);
  for (unsigned faulty_thread : {0u, 1u, 33u, 63u})
    for (mishap mishap_wanted : {mishap::none, mishap::thrown_before, mishap::thrown_behind, mishap::other_barrier,
                                 mishap::overflow_before, mishap::overflow_behind, mishap::barriers_behind}) {
      SCOPED_TRACE("thread " + std::to_string(faulty_thread) + ", mishap " +
                   std::to_string(static_cast<int>(mishap_wanted)));
      const auto unwound = gs::to_device(std::vector<int>{0});
      gs::launch<go_wrong_later>({.grid = blocks, .block = threads}, mishap_wanted, faulty_thread, unwound, out);
      if (mishap_wanted == mishap::thrown_before || mishap_wanted == mishap::thrown_behind) {
        EXPECT_THROW(gs::synchronize(), std::runtime_error);
      } else if (mishap_wanted == mishap::other_barrier) {
        EXPECT_TRUE(refused([] { gs::synchronize(); }, {"go_wrong_later", "waits for the block at"}));
      } else if (mishap_wanted == mishap::barriers_behind) {
        EXPECT_TRUE(
            refused([] { gs::synchronize(); }, {"thread 40 waits for the block at", "and thread 41 waits for"}));
      } else if (mishap_wanted != mishap::none) {
        EXPECT_TRUE(refused<gs::kernel_fault>([] { gs::synchronize(); },
                                              {"go_wrong_later", "thread " + std::to_string(faulty_thread) +
                                                                     " of block 20 needs more than its stack of"}));
      } else {
        gs::synchronize();
        EXPECT_EQ(unwound.copy_to_host()[0], static_cast<int>(blocks * threads));
        const auto got = out.copy_to_host();
        for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], static_cast<int>(i));
      }
      expect_usable();
    }
}

int descend(int depth, gs::view<int> out) {
  volatile int frame[64] = {depth};
  out[0] = frame[0];
  return depth == 0 ? 0 : descend(depth - 1, out) + frame[0];
}
void recurse(gs::thread t, bool after_a_barrier, int faulty_thread, gs::view<int> out) {
  if (after_a_barrier) t.sync();
  if (faulty_thread < 0 || static_cast<int>(t.thread_rank()) == faulty_thread) descend(1 << 30, out);
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
// Each frame is larger than the guard below a stack.
int descend_by_pages(int depth, gs::view<int> out) {
  volatile int frame[5000];
  frame[0] = depth;
  out[0] = frame[0];
  return depth == 0 ? 0 : descend_by_pages(depth - 1, out) + frame[0];
}
void recurse_by_pages(gs::thread t, gs::view<int> out) {
  t.sync();
  if (t.thread_rank() == 3) descend_by_pages(1 << 30, out);
  t.sync();
}

TEST_F(barrier_errors, a_stack_overflow_is_reported) {
  gs::device_array<int> out(64);
  for (int faulty_thread : {-1, 0, 1, 40})
    for (bool after_a_barrier : {false, true}) {
      gs::launch<recurse>({.grid = 5, .block = 64}, after_a_barrier, faulty_thread, out);
      EXPECT_TRUE(refused<gs::kernel_fault>(
          [] { gs::synchronize(); },
          {"kernel", "recurse", "thread " + std::to_string(std::max(faulty_thread, 0)) + " of block ",
           "needs more than its stack of", "KiB", "local arrays smaller"}))
          << "thread " << faulty_thread;
      expect_usable();
    }
  gs::launch<one_large_frame>({.grid = 1, .block = 64}, out);
  EXPECT_TRUE(
      refused<gs::kernel_fault>([] { gs::synchronize(); }, {"one_large_frame", "needs more than its stack of"}));
  expect_usable();
  gs::launch<recurse_by_pages>({.grid = 1, .block = 64}, out);
  EXPECT_TRUE(
      refused<gs::kernel_fault>([] { gs::synchronize(); }, {"recurse_by_pages", "needs more than its stack of"}));
  expect_usable();
}

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)  // the sanitizers report it first
void divide(gs::thread t, bool after_a_barrier, int faulty_thread, gs::view<const int> x, gs::view<int> out) {
  if (after_a_barrier) t.sync();
  const int divisor = static_cast<int>(t.thread_rank()) == faulty_thread ? x[0] : 1;
  out[t.grid() % out.size()] = 7 / divisor;
  if (after_a_barrier) t.sync();
}

TEST_F(barrier_errors, an_integer_divided_by_zero_is_reported) {
  const auto x = gs::to_device(std::vector<int>{0});
  gs::device_array<int> out(64);
  for (int faulty_thread : {0, 1, 40})
    for (bool after_a_barrier : {false, true}) {
      gs::launch<divide>({.grid = 5, .block = 64}, after_a_barrier, faulty_thread, x, out);
      EXPECT_TRUE(refused<gs::kernel_fault>(
          [] { gs::synchronize(); }, {"kernel", "divide", "thread " + std::to_string(faulty_thread) + " of block ",
                                      "divided an integer by zero", "check the divisor"}))
          << "thread " << faulty_thread;
      expect_usable();
    }
  gs::launch<divide>({.grid = 5, .block = 64}, true, -1, x, out);
  EXPECT_NO_THROW(gs::synchronize());
  EXPECT_EQ(out.copy_to_host()[3], 7);
}
#endif

void grid_sync_alone(gs::thread t, gs::view<int> out) {
  out[0] = 1;
  t.grid_sync();
}

TEST_F(barrier_errors, a_grid_barrier_needs_a_cooperative_launch) {
  gs::device_array<int> out(1);
  gs::launch<grid_sync_alone>({.grid = 2, .block = 2}, out);
  EXPECT_TRUE(refused([] { gs::synchronize(); }, {"grid_sync at", "kernel_errors_test.cpp", ".cooperative = true"}));
}

TEST_F(barrier_errors, other_streams_go_on) {
  gs::stream wrong, right;
  gs::device_array<int> out(64);
  const auto fine = gs::to_device(std::vector<int>(64));
  gs::launch<part_waits>({.grid = 1, .block = 64, .stream = wrong}, out);
  gs::launch<fill_with>({.grid = 1, .block = 64, .stream = right}, 5, fine);
  right.synchronize();
  EXPECT_THROW(wrong.synchronize(), gs::error);
  EXPECT_EQ(fine.copy_to_host(), std::vector<int>(64, 5));
}

void lanes_wait_for_each_other(gs::thread t, gs::view<int> out) {
  if (t.lane() < 4)
    out[0] = t.shuffle(1, 0, 0x000000ff);  // names lanes that never come
  else
    t.sync();
}
constexpr int line_of_shuffle = __LINE__ - 4, line_of_sync = __LINE__ - 2;
void call_without_own_lane(gs::thread t) { t.warp_sync(t.lanes_below()); }
void odd_width(gs::thread t, gs::view<int> out) { out[0] = t.shuffle_up(1, 1, gs::full_mask, 12); }

using warp_errors = kernel_errors;

TEST_F(warp_errors, lanes_that_never_come) {
  gs::device_array<int> out(32);
  gs::launch<lanes_wait_for_each_other>({.grid = 1, .block = 32}, out);
  EXPECT_TRUE(refused([] { gs::synchronize(); },
                      {"lanes_wait_for_each_other", "thread 0 waits at",
                       "kernel_errors_test.cpp:" + std::to_string(line_of_shuffle) + " for the lanes 0x000000ff",
                       "thread 4 waits for the block at", "kernel_errors_test.cpp:" + std::to_string(line_of_sync)}));
}

TEST_F(warp_errors, masks_and_widths) {
  gs::device_array<int> out(32);
  gs::launch<call_without_own_lane>({.grid = 1, .block = 32});
  EXPECT_TRUE(refused([] { gs::synchronize(); }, {"lane 0 calls it with the mask 0x00000000, which doesn't name it"}));
  gs::launch<odd_width>({.grid = 1, .block = 32}, out);
  EXPECT_TRUE(refused([] { gs::synchronize(); }, {"a shuffle at", "segments of 12 lanes", "use 1, 2, 4, 8, 16 or 32"}));
}

void some_blocks_leave(gs::thread t, gs::view<int> out) {
  if (t.block_rank() == 1) return;
  t.grid_sync();
  out[0] = 1;
}
constexpr int line_of_grid_sync = __LINE__ - 3;
void one_block_throws(gs::thread t, gs::view<int> unwound) {
  struct counter {
    int& count;
    ~counter() { gs::atomic_ref(count).fetch_add(1); }
  } on_the_way_out{unwound[0]};
  t.grid_sync();
  if (t.grid() == 100) throw std::runtime_error("thread 100 threw");
  t.grid_sync();
}
void half_a_block_waits(gs::thread t) {
  if (t.thread_rank() < 8)
    t.grid_sync();
  else
    t.sync();
}

using cooperative_errors = kernel_errors;

TEST_F(cooperative_errors, blocks_that_return_from_others_that_wait) {
  const auto out = gs::to_device(std::vector<int>{0});
  gs::launch<some_blocks_leave>({.grid = 4, .block = 32, .cooperative = true}, out);
  EXPECT_TRUE(refused(
      [] { gs::synchronize(); },
      {"grid_sync in kernel", "some_blocks_leave", "kernel_errors_test.cpp:" + std::to_string(line_of_grid_sync),
       "some blocks have returned, the first is block 1", "others wait for them, the first is block 0"}));
  EXPECT_EQ(out.copy_to_host()[0], 0);
}

TEST_F(cooperative_errors, an_exception_ends_all_blocks) {
  const auto out = gs::to_device(std::vector<int>{0});
  gs::launch<one_block_throws>({.grid = 4, .block = 64, .cooperative = true}, out);
  EXPECT_THROW(gs::synchronize(), std::runtime_error);
  EXPECT_EQ(out.copy_to_host()[0], 256) << "every thread's objects are destroyed";
}

TEST_F(cooperative_errors, different_barriers) {
  gs::launch<half_a_block_waits>({.grid = 4, .block = 32, .cooperative = true});
  EXPECT_TRUE(refused([] { gs::synchronize(); },
                      {"half_a_block_waits", "thread 0 waits for the grid at", "thread 8 waits for the block at"}));
}

void say_after_barriers(gs::thread t, gs::shared<int> s) {
  if (t.thread_rank() == 0) *s = 0;
  t.sync();
  gs::atomic_ref(*s).fetch_add(1);
  t.sync();
  if (t.thread_rank() == 0) std::fprintf(stderr, "%d threads came\n", *s);
}

TEST(kernels_at_exit, what_is_queued_runs_to_its_end) {  // while the main thread's own variables are gone already
  SKIP_UNLESS_PROGRAMS_START();
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto launch_and_leave = [] {
    gs::select_device(gs::device_kind::engine);
    gs::launch<say_after_barriers>({.grid = 1, .block = 100});
    gs::synchronize();
    for (int k = 0; k < 3; ++k) gs::launch<say_after_barriers>({.grid = 1, .block = 77});
    std::exit(0);
  };
  EXPECT_EXIT(launch_and_leave(), testing::ExitedWithCode(0), "100 threads came\n(77 threads came\n){3}");
}

}  // namespace
