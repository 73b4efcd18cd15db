// The recorder by itself: the record of a warp is bounded, and accesses beyond the bound are reported.

#include "runtime/instruments/counting/request_recorder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

using gs::access_kind;
using gs::line_counters;
using gs::memory_space;
using gs::instruments::request_recorder;
using gs::instruments::site;

constexpr site line_a = 1, line_b = 2;

void begin_block(request_recorder& recorder, unsigned threads) {
  gs::instruments::launch_description launch{};
  launch.kernel = "kernel";
  launch.grid = {1, 1, 1};
  launch.block = {threads, 1, 1};
  recorder.begin_launch(launch);
  recorder.enter_block(0);
}

void note_read(request_recorder& recorder, site site_of_access, std::uint64_t address) {
  recorder.record(site_of_access, access_kind::read, memory_space::global, address, 4,
                  {.bytes = 1 << 20, .element_bytes = 4});
}

std::vector<line_counters> lines_of(request_recorder& recorder) {
  gs::instruments::site_table sites;
  for (const char* file : {"a", "b"}) sites.number_of_text(file);  // sites 1 and 2
  gs::inspection result = {};
  recorder.report(result, sites);
  return result.lines;
}

TEST(request_recorder, keeps_no_more_requests_of_a_warp_than_it_may) {
  request_recorder recorder(10);
  begin_block(recorder, 64);
  for (unsigned thread : {0, 1, 31}) {
    recorder.enter_thread(thread);
    for (unsigned k = 0; k < 7; ++k) note_read(recorder, line_a, 128 * k + 4 * thread);
    for (unsigned k = 0; k < 7; ++k) note_read(recorder, line_b, 128 * k + 4 * thread);
  }
  const auto lines = lines_of(recorder);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].requests, 7u);
  EXPECT_EQ(lines[0].accesses, 21u);
  EXPECT_EQ(lines[0].uncounted, 0u);
  EXPECT_EQ(lines[0].sectors, 14u) << "lanes 0 and 1 share one";
  EXPECT_EQ(lines[1].requests, 3u);
  EXPECT_EQ(lines[1].accesses, 9u);
  EXPECT_EQ(lines[1].uncounted, 12u) << "four of each lane";
}

TEST(request_recorder, has_room_again_after_a_barrier_and_in_the_next_warp) {
  request_recorder recorder(10);
  begin_block(recorder, 64);
  for (unsigned thread : {0, 1, 32, 33}) {
    recorder.enter_thread(thread);
    for (unsigned k = 0; k < 10; ++k) note_read(recorder, line_a, 4 * thread);
  }
  recorder.finish_requests();
  recorder.enter_thread(1);
  for (unsigned k = 0; k < 12; ++k) note_read(recorder, line_a, 0);
  const auto lines = lines_of(recorder);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].requests, 30u);
  EXPECT_EQ(lines[0].accesses, 50u);
  EXPECT_EQ(lines[0].uncounted, 2u);
}

TEST(request_recorder, needs_no_room_for_a_warp_of_one_lane) {
  request_recorder recorder(10);
  begin_block(recorder, 33);
  recorder.enter_thread(32);
  for (unsigned k = 0; k < 1009; ++k) note_read(recorder, line_a, 64 * k);
  begin_block(recorder, 1);
  recorder.enter_thread(0);
  for (unsigned k = 0; k < 1009; ++k) note_read(recorder, line_a, 64 * k);
  const auto lines = lines_of(recorder);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].requests, 2018u);
  EXPECT_EQ(lines[0].sectors, 2018u);
  EXPECT_EQ(lines[0].uncounted, 0u);
}

TEST(request_recorder, counts_lanes_that_reach_several_arrays_by_their_true_addresses) {
  request_recorder recorder;
  begin_block(recorder, 32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    recorder.enter_thread(lane);
    const std::uintptr_t begin = lane % 2 ? 1 << 20 : 1 << 21;
    recorder.record(line_a, access_kind::read, memory_space::global, begin + 4 * lane, 4,
                    {.begin = begin, .bytes = 4096, .element_bytes = 4});
  }
  const auto lines = lines_of(recorder);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].sectors, 8u) << "four of each array";
  EXPECT_EQ(lines[0].bytes_used, 128u);
}

TEST(request_recorder, keeps_global_and_shared_memory_at_one_line_apart) {
  request_recorder recorder;
  begin_block(recorder, 32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    recorder.enter_thread(lane);
    note_read(recorder, line_a, 4 * lane);
    recorder.record(line_a, access_kind::read, memory_space::shared, 128 * lane, 4, {.bytes = 48 << 10});
  }
  const auto lines = lines_of(recorder);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].sectors, 4u);
  EXPECT_EQ(lines[0].wavefronts, 0u);
  EXPECT_EQ(lines[1].sectors, 0u);
  EXPECT_EQ(lines[1].wavefronts, 32u);
}

}  // namespace
