// Streams of the engine: queued and in order, side by side, ordered by events, and their errors. Each test holds
// kernels at a gate, so that nothing depends on how fast the machine is.

#include "runtime/device/stream.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/runtime/device/gate.h"
#include "tests/runtime/refused.h"

namespace {

using runtime_test::close_at;
using runtime_test::gates;
using runtime_test::reached;
using runtime_test::refused;

void append(gs::thread, gs::view<int> log, int value) { log[static_cast<std::size_t>(log[0]++) + 1] = value; }
void increment(gs::thread, gs::view<int> counter) { ++counter[0]; }
void fail(gs::thread t, int block) {
  if (t.grid() == static_cast<std::size_t>(block)) throw std::runtime_error("the kernel failed");
}
void take_a_millisecond(gs::thread) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

gs::device_array<int> zeros(std::size_t n) { return gs::to_device(std::vector<int>(n)); }

class streams_test : public testing::Test {
 protected:
  streams_test() { gs::select_device(gs::device_kind::engine); }
  gates gate;
};

TEST_F(streams_test, a_launch_returns_before_it_runs) {
  auto counter = zeros(1);
  gs::stream s;
  close_at(s, 0);
  gs::launch<increment>({.stream = s}, counter);
  EXPECT_FALSE(s.idle());
  gate.open(0);
  s.synchronize();
  EXPECT_TRUE(s.idle());
  EXPECT_EQ(counter.copy_to_host()[0], 1);
}

TEST_F(streams_test, are_in_order) {
  auto log = zeros(2001);
  gs::stream s;
  close_at(s, 0);
  std::vector<int> expected{2000};
  for (int i = 0; i < 2000; ++i) {
    gs::launch<append>({.stream = s}, log, i);
    expected.push_back(i);
  }
  gate.open(0);
  s.synchronize();
  EXPECT_EQ(log.copy_to_host(), expected);
}

TEST_F(streams_test, overlap_each_other) {
  auto counter = zeros(1);
  gs::stream held, other;
  close_at(held, 0);
  gs::launch<increment>({.stream = other}, counter);
  other.synchronize();
  EXPECT_TRUE(other.idle());
  EXPECT_FALSE(held.idle());
  gate.open(0);
  EXPECT_EQ(counter.copy_to_host()[0], 1);
}

TEST_F(streams_test, copies_wait_for_every_stream) {
  auto counter = zeros(1);
  gs::stream s;
  close_at(s, 0);
  gs::launch<increment>({.stream = s}, counter);
  std::thread opener([&] {
    reached(0);
    gate.open(0);
  });
  EXPECT_EQ(counter.copy_to_host()[0], 1);
  opener.join();
}

TEST_F(streams_test, events_order_them) {
  auto log = zeros(3);
  gs::stream first, second;
  gs::event point;
  close_at(first, 0);
  gs::launch<append>({.stream = first}, log, 1);
  point.record(first);
  second.wait(point);
  gs::launch<append>({.stream = second}, log, 2);
  EXPECT_FALSE(point.done());
  EXPECT_FALSE(second.idle());
  gate.open(0);
  second.synchronize();
  EXPECT_TRUE(point.done());
  EXPECT_EQ(log.copy_to_host(), (std::vector<int>{2, 1, 2}));
}

TEST_F(streams_test, an_event_that_was_never_recorded_holds_nothing_up) {
  auto counter = zeros(1);
  gs::stream s;
  gs::event never;
  s.wait(never);
  gs::launch<increment>({.stream = s}, counter);
  s.synchronize();
  never.synchronize();
  EXPECT_TRUE(never.done());
  EXPECT_EQ(counter.copy_to_host()[0], 1);
}

TEST_F(streams_test, more_waiting_streams_than_cores_hold_no_core) {
  const std::size_t stream_count = gs::core_count() * 4 + 3;
  auto counters = zeros(stream_count);
  gs::stream first;
  gs::event point;
  close_at(first, 0);
  point.record(first);
  std::vector<gs::stream> waiting(stream_count);
  for (std::size_t i = 0; i < stream_count; ++i) {
    waiting[i].wait(point);
    gs::launch<increment>({.stream = waiting[i]}, counters.slice(i, i + 1));
  }
  auto free = zeros(1);
  gs::stream another_stream;  // still finds a core
  gs::launch<increment>({.stream = another_stream}, free);
  another_stream.synchronize();
  for (const auto& s : waiting) EXPECT_FALSE(s.idle());
  gate.open(0);
  gs::synchronize();
  EXPECT_EQ(counters.copy_to_host(), std::vector<int>(stream_count, 1));
}

TEST_F(streams_test, a_stream_may_wait_for_itself_and_in_chains) {
  auto log = zeros(41);
  std::vector<gs::stream> chain(20);
  std::vector<gs::event> points(20);
  close_at(chain[0], 0);
  for (std::size_t i = 0; i < 20; ++i) {
    if (i > 0) chain[i].wait(points[i - 1]);
    gs::launch<append>({.stream = chain[i]}, log, static_cast<int>(i));
    points[i].record(chain[i]);
    chain[i].wait(points[i]);
  }
  gate.open(0);
  points.back().synchronize();
  const auto order = log.copy_to_host();
  EXPECT_EQ(order[0], 20);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i) + 1], i);
}

TEST_F(streams_test, events_tell_the_time_between_them) {
  gs::stream s;
  gs::event start, stop, later;
  start.record(s);
  close_at(s, 0);
  stop.record(s);
  ASSERT_TRUE(reached(0));
  EXPECT_TRUE(refused([&] { gs::seconds_between(start, stop); }, {"has not finished", "call synchronize()"}));
  EXPECT_TRUE(refused([&] { gs::seconds_between(start, later); }, {"never recorded", "record()"}));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  gate.open(0);
  stop.synchronize();
  EXPECT_GE(gs::seconds_between(start, stop), 0.020);
  EXPECT_LE(gs::seconds_between(stop, start), -0.020);
  EXPECT_EQ(gs::seconds_between(stop, stop), 0);
}

TEST_F(streams_test, recording_again_moves_an_event) {
  gs::stream s;
  gs::event point;
  point.record(s);
  close_at(s, 0);
  EXPECT_TRUE(point.done());
  point.record(s);
  EXPECT_FALSE(point.done());
  gate.open(0);
  point.synchronize();
  EXPECT_TRUE(point.done());
}

TEST_F(streams_test, a_stream_that_was_moved_from_is_refused) {
  auto counter = zeros(1);
  gs::stream first;
  gs::stream second = std::move(first);
  gs::launch<increment>({.stream = second}, counter);
  const auto text = {"it was moved from", "use the stream it was moved to"};
  EXPECT_TRUE(refused([&] { gs::launch<increment>({.stream = first}, counter); }, {text.begin()[0], text.begin()[1]}));
  EXPECT_TRUE(refused([&] { first.synchronize(); }, {"it was moved from"}));
  EXPECT_TRUE(refused([&] { (void)first.idle(); }, {"it was moved from"}));
  gs::event point;
  EXPECT_TRUE(refused([&] { point.record(first); }, {"it was moved from"}));
  EXPECT_EQ(counter.copy_to_host()[0], 1);
}

TEST_F(streams_test, work_of_a_destroyed_stream_still_runs) {
  auto counter = zeros(1);
  gs::event point;
  {
    gs::stream s;
    close_at(s, 0);
    for (int i = 0; i < 100; ++i) gs::launch<increment>({.stream = s}, counter);
    point.record(s);
  }
  EXPECT_FALSE(point.done());
  gate.open(0);
  point.synchronize();
  EXPECT_EQ(counter.copy_to_host()[0], 100);
}

TEST_F(streams_test, an_error_in_a_kernel_is_thrown_once_by_the_next_wait) {
  auto counter = zeros(1);
  gs::stream s;
  gs::launch<fail>({.grid = 100, .stream = s}, 50);
  gs::launch<increment>({.stream = s}, counter);
  EXPECT_THROW(s.synchronize(), std::runtime_error);
  EXPECT_NO_THROW(s.synchronize());
  EXPECT_EQ(counter.copy_to_host()[0], 1) << "what came after it has run";

  gs::launch<fail>({}, 0);
  EXPECT_THROW(gs::synchronize(), std::runtime_error);
  EXPECT_NO_THROW(gs::synchronize());

  gs::launch<fail>({}, 0);
  EXPECT_THROW(counter.copy_to_host(), std::runtime_error);
  EXPECT_EQ(counter.copy_to_host()[0], 1);
}

TEST_F(streams_test, an_error_of_a_destroyed_stream_is_not_lost) {
  gs::event point;
  {
    gs::stream s;
    gs::launch<fail>({.stream = s}, 0);
    point.record(s);
  }
  point.synchronize();
  const auto error_comes = [] {  // the queue may end a moment after its last point
    for (int i = 0; i < 1000; ++i) {
      try {
        gs::synchronize();
      } catch (const std::runtime_error&) {
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  };
  EXPECT_TRUE(error_comes());
  EXPECT_NO_THROW(gs::synchronize());
}

TEST_F(streams_test, threads_may_launch_at_the_same_time) {
  constexpr int per_thread = 500;
  constexpr std::size_t threads = 8;
  auto shared = zeros(1), own = zeros(threads);
  std::vector<std::thread> running;
  for (std::size_t t = 0; t < threads; ++t)
    running.emplace_back([&, t] {
      gs::stream s;
      const auto mine = own.slice(t, t + 1);
      for (int i = 0; i < per_thread; ++i) {
        gs::launch<increment>({}, shared);  // the default stream is in order, whoever launches
        gs::launch<increment>({.stream = s}, mine);
        if (i % 100 == 0) s.synchronize();
      }
    });
  for (auto& t : running) t.join();
  EXPECT_EQ(own.copy_to_host(), std::vector<int>(threads, per_thread));
  EXPECT_EQ(shared.copy_to_host()[0], per_thread * static_cast<int>(threads));
}

// A core that waits for the last blocks of one stream's kernel must not start another stream's kernel meanwhile: the
// first kernel would end only when the second one does, and here the second one waits for the first.
TEST_F(streams_test, a_kernel_ends_without_waiting_for_another_streams) {
  if (gs::core_count() < 2) GTEST_SKIP() << "needs two cores";
  for (int i = 0; i < 40; ++i) {
    runtime_test::gate_open[1] = false;
    runtime_test::gate_reached[1] = 0;
    gs::stream wide, held;
    gs::event wide_done;
    gs::launch<take_a_millisecond>({.grid = 3 * gs::core_count() + 1, .stream = wide});
    wide_done.record(wide);
    std::this_thread::sleep_for(std::chrono::microseconds(500));  // every core has a block of it by now
    close_at(held, 1);
    for (int k = 0; k < 20'000 && !wide_done.done(); ++k) std::this_thread::sleep_for(std::chrono::microseconds(100));
    ASSERT_TRUE(wide_done.done()) << "round " << i;
    gate.open(1);
    gs::synchronize();
  }
}

}  // namespace
