// Bounds of times, against figures worked out by hand from the data sheets.

#include "runtime/instruments/device_model/time_bound.h"

#include <gtest/gtest.h>

#include <string>

namespace {

using gs::launch_work;
using gs::model_of;
using gs::time_bound;
using gs::time_bound_of;
using gs::time_limit;

constexpr double h100_cycles = 132 * 1.98e9;  // of all multiprocessors, in a second

TEST(time_bound, of_memory_is_its_bytes_by_its_bandwidth) {
  // A copy of 1e8 floats.
  const launch_work copy{.memory_bytes = 2 * 4e8};
  EXPECT_DOUBLE_EQ(time_bound_of(model_of("9.0"), copy).seconds(), 8e8 / 3.35e12);
  EXPECT_DOUBLE_EQ(time_bound_of(model_of("H200"), copy).seconds(), 8e8 / 4.8e12);
  EXPECT_DOUBLE_EQ(time_bound_of(model_of("8.0"), copy).seconds(), 8e8 / 2.039e12);
  EXPECT_EQ(time_bound_of(model_of("9.0"), copy).limited_by(), time_limit::memory);
}

TEST(time_bound, of_shared_memory_is_a_wavefront_a_cycle) {
  const time_bound bound = time_bound_of(model_of("9.0"), {.wavefronts = 33e6});
  EXPECT_DOUBLE_EQ(bound.seconds(), 33e6 / h100_cycles);
  EXPECT_EQ(bound.limited_by(), time_limit::shared_memory);
}

TEST(time_bound, of_l1_is_four_sectors_or_a_request_a_cycle) {
  // Columns: 32 sectors a request.
  EXPECT_DOUBLE_EQ(time_bound_of(model_of("9.0"), {.requests = 1e6, .sectors = 32e6}).seconds(), 8e6 / h100_cycles);
  // One number for all lanes.
  const time_bound broadcast = time_bound_of(model_of("9.0"), {.requests = 1e6, .sectors = 1e6});
  EXPECT_DOUBLE_EQ(broadcast.seconds(), 1e6 / h100_cycles);
  EXPECT_EQ(broadcast.limited_by(), time_limit::l1_cache);
}

TEST(time_bound, of_arithmetic_is_that_of_the_data_sheet) {
  // A product of matrices of 4096 rows and columns, at 67 TFLOP/s.
  const double operations = 2.0 * 4096 * 4096 * 4096;
  const time_bound bound = time_bound_of(model_of("9.0"), {.float32_operations = operations});
  EXPECT_NEAR(bound.seconds(), operations / 67e12, 0.01 * bound.seconds());
  EXPECT_EQ(bound.limited_by(), time_limit::arithmetic);
  for (const gs::device_model& model : gs::device_models())
    EXPECT_DOUBLE_EQ(time_bound_of(model, {.float32_operations = operations}).seconds(),
                     operations / model.float32_per_second())
        << model.card;
}

TEST(time_bound, is_the_largest) {
  // By memory 1 ms, by shared memory 2 ms, by arithmetic less.
  const launch_work work{.memory_bytes = 3.35e9, .wavefronts = 2e-3 * h100_cycles, .float32_operations = 1e9};
  const time_bound bound = time_bound_of(model_of("9.0"), work);
  EXPECT_DOUBLE_EQ(bound.seconds_of(time_limit::memory), 1e-3);
  EXPECT_DOUBLE_EQ(bound.seconds(), 2e-3);
  EXPECT_EQ(bound.limited_by(), time_limit::shared_memory);
  // A T4 takes 10.5 ms and 8.2 ms.
  EXPECT_EQ(time_bound_of(model_of("7.5"), work).limited_by(), time_limit::memory);
}

TEST(time_bound, leaves_memory_out_where_l2_may_hold_the_arrays) {
  const time_bound bound = time_bound_of(model_of("9.0"), {.memory_bytes = 3.35e9, .requests = 1e-4 * h100_cycles});
  EXPECT_DOUBLE_EQ(bound.seconds(), 1e-3);
  EXPECT_DOUBLE_EQ(bound.seconds_from_l2(), 1e-4);
  EXPECT_EQ(bound.limited_from_l2_by(), time_limit::l1_cache);
}

TEST(time_bound, has_no_more_multiprocessors_at_work_than_blocks) {
  const auto seconds = [](std::size_t blocks) {
    return time_bound_of(model_of("9.0"), {.blocks = blocks, .wavefronts = 1e6}).seconds();
  };
  EXPECT_DOUBLE_EQ(seconds(1), 1e6 / 1.98e9);
  EXPECT_DOUBLE_EQ(seconds(33), 1e6 / (33 * 1.98e9));
  EXPECT_DOUBLE_EQ(seconds(132), 1e6 / h100_cycles);
  EXPECT_DOUBLE_EQ(seconds(100'000), 1e6 / h100_cycles);
  EXPECT_DOUBLE_EQ(seconds(0), 1e6 / h100_cycles) << "not known: enough for all";
  // The bandwidth of memory is the card's.
  EXPECT_DOUBLE_EQ(time_bound_of(model_of("9.0"), {.blocks = 1, .memory_bytes = 3.35e9}).seconds(), 1e-3);
}

TEST(time_bound, of_nothing_is_0) {
  const time_bound bound = time_bound_of(model_of("9.0"), {});
  EXPECT_EQ(bound.seconds(), 0);
  EXPECT_EQ(bound.seconds_from_l2(), 0);
}

TEST(time_bound, takes_the_mean_work_of_the_launches_that_were_counted) {
  gs::kernel_counters counted;
  EXPECT_EQ(gs::work_of(counted).blocks, 0u) << "none";
  counted.grid = {8, 2, 1};
  counted.launches = 4;
  counted.requests = 40;
  counted.sectors = 160;
  counted.wavefronts = 80;
  counted.sectors_read = 100;
  counted.sectors_written = 20;
  const launch_work work = gs::work_of(counted);
  EXPECT_EQ(work.blocks, 16u);
  EXPECT_EQ(work.memory_bytes, 32 * 30);
  EXPECT_EQ(work.requests, 10);
  EXPECT_EQ(work.sectors, 40);
  EXPECT_EQ(work.wavefronts, 20);
  EXPECT_EQ(work.float32_operations, 0);
}

TEST(time_bound, names_its_limits) {
  EXPECT_EQ(to_string(time_limit::memory), "memory");
  EXPECT_EQ(to_string(time_limit::l1_cache), "L1 cache");
  EXPECT_EQ(to_string(time_limit::shared_memory), "shared memory");
  EXPECT_EQ(to_string(time_limit::arithmetic), "arithmetic");
}

}  // namespace
