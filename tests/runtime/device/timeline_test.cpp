// The timeline: what is recorded, on which stream, and in which order. Gates decide what runs beside what.

#include "runtime/device/timeline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "runtime/timing/untimed.h"
#include "tests/runtime/device/gate.h"
#include "tests/runtime/refused.h"

namespace timeline_test {

using enum gs::timeline_kind;
using runtime_test::close_at;
using runtime_test::gates;
using runtime_test::reached;
using runtime_test::refused;

void nothing(gs::thread) {}
int twice(int x) { return 2 * x; }

class timelines : public testing::Test {
 protected:
  timelines() { gs::select_device(gs::device_kind::engine); }
  gates gate;
  gs::stream first, second;
};

TEST_F(timelines, have_what_each_stream_did_in_its_order) {
  const gs::pinned_array<int> x(1000);
  gs::pinned_array<int> z(1000);
  gs::device_array<int> y(1000);
  const gs::timeline_recording recording;
  y.copy_from_host(x, second);
  gs::launch<nothing>({.stream = second});
  y.copy_to_host(z, second);
  gs::launch<nothing>({.stream = first});
  const std::vector<gs::timeline_entry> e = recording.entries();
  ASSERT_EQ(e.size(), 4u);
  const gs::timeline_kind kinds[] = {copy_to_device, launch, copy_to_host, launch};
  const std::string names[] = {"copy to the device", "timeline_test::nothing", "copy to the host",
                               "timeline_test::nothing"};
  const std::size_t streams[] = {0, 0, 0, 1}, bytes[] = {4000, 0, 4000, 0};
  for (std::size_t k = 0; k < e.size(); ++k) {
    EXPECT_EQ(e[k].kind, kinds[k]) << k;
    EXPECT_EQ(e[k].name, names[k]) << k;
    EXPECT_EQ(e[k].stream, streams[k]) << k;
    EXPECT_EQ(e[k].bytes, bytes[k]) << k;
    EXPECT_GE(e[k].start, 0) << k;
    EXPECT_GE(e[k].stop, e[k].start) << k;
  }
  EXPECT_GE(e[1].start, e[0].stop);
  EXPECT_GE(e[2].start, e[1].stop);
}

TEST_F(timelines, show_what_ran_beside_what) {
  if (gs::core_count() < 2) GTEST_SKIP() << "needs two cores";
  const gs::pinned_array<int> x(1000);
  gs::device_array<int> y(1000);
  const gs::timeline_recording recording;
  close_at(first, 0);
  ASSERT_TRUE(reached(0));
  y.copy_from_host(x, second);
  second.synchronize();
  gate.open(0);
  const std::vector<gs::timeline_entry> e = recording.entries();
  ASSERT_EQ(e.size(), 2u);
  EXPECT_LE(e[0].start, e[1].start);
  EXPECT_GE(e[0].stop, e[1].stop);
}

TEST_F(timelines, have_work_begin_when_it_runs_and_not_when_it_was_queued) {
  const gs::timeline_recording recording;
  close_at(first, 0);
  gs::launch<nothing>({.stream = first});
  ASSERT_TRUE(reached(0));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  gate.open(0);
  const std::vector<gs::timeline_entry> e = recording.entries();
  ASSERT_EQ(e.size(), 2u);
  EXPECT_GE(e[0].stop - e[0].start, 0.020);
  EXPECT_GE(e[1].start, e[0].stop);
}

TEST_F(timelines, have_a_streams_wait_for_an_event) {
  const gs::timeline_recording recording;
  gs::event point;
  close_at(first, 0);
  point.record(first);
  second.wait(point);
  gs::launch<nothing>({.stream = second});
  ASSERT_TRUE(reached(0));
  gate.open(0);
  const std::vector<gs::timeline_entry> e = recording.entries();
  ASSERT_EQ(e.size(), 3u);
  EXPECT_EQ(e[1].kind, wait);
  EXPECT_EQ(e[1].name, "wait");
  EXPECT_EQ(e[1].stream, 1u);
  EXPECT_GE(e[1].stop, e[0].stop);
  EXPECT_GE(e[2].start, e[1].stop);
}

TEST_F(timelines, have_ufuncs_libraries_and_copies_without_a_stream_on_the_default_one) {
  const gs::timeline_recording recording;
  const auto x = gs::to_device(std::vector<int>{1, 2, 3});
  const auto sums = gs::inclusive_sum(x);
  (void)gs::vectorize<twice>(sums).copy_to_host();
  std::string names;
  for (const gs::timeline_entry& e : recording.entries()) {
    EXPECT_EQ(e.stream, 0u);
    names += e.name + ", " + to_string(e.kind) + "; ";
  }
  EXPECT_EQ(names,
            "copy to the device, copy to the device; inclusive_sum, launch; timeline_test::twice, launch; "
            "copy to the host, copy to the host; ");
}

TEST_F(timelines, have_nothing_from_before_or_after_the_recording) {
  gs::launch<nothing>({});
  std::optional<gs::timeline_recording> recording(std::in_place);
  EXPECT_TRUE(recording->entries().empty());
  gs::launch<nothing>({});
  EXPECT_EQ(recording->entries().size(), 1u);
  EXPECT_EQ(recording->entries().size(), 1u) << "asking changes nothing";
  recording.reset();
  gs::launch<nothing>({});
  recording.emplace();
  EXPECT_TRUE(recording->entries().empty());
}

TEST_F(timelines, are_recorded_within_each_other) {
  const gs::timeline_recording outer;
  gs::launch<nothing>({});
  {
    const gs::timeline_recording inner;
    gs::launch<nothing>({.stream = first});
    gs::launch<nothing>({.stream = first});
    const std::vector<gs::timeline_entry> both = inner.entries();
    ASSERT_EQ(both.size(), 2u);
    EXPECT_GE(both[0].start, 0) << "since its own beginning";
  }
  gs::launch<nothing>({});
  const std::vector<gs::timeline_entry> all = outer.entries();
  ASSERT_EQ(all.size(), 4u) << "it goes on";
  EXPECT_LE(all[0].stop, all[1].stop);
}

TEST_F(timelines, have_no_times_where_nothing_is_timed) {
  const gs::detail::untimed_scope untimed;
  const gs::timeline_recording recording;
  gs::launch<nothing>({});
  const std::vector<gs::timeline_entry> e = recording.entries();
  ASSERT_EQ(e.size(), 1u);
  EXPECT_TRUE(std::isnan(e[0].start) && std::isnan(e[0].stop));
}

TEST_F(timelines, leave_out_calls_that_were_refused) {
  const gs::timeline_recording recording;
  const gs::device_array<int> y(10);
  std::vector<int> z(9);
  EXPECT_TRUE(refused([&] { y.copy_to_host(z, first); }, {"shape (10,)"}));
  EXPECT_TRUE(recording.entries().empty());
}

}  // namespace timeline_test
