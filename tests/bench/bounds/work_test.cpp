// The work by which bench/bounds computes its bounds is the one that the instruments count, and the results are right.

#include <gtest/gtest.h>

#include "bench/bounds/cases.h"
#include "runtime/gs.h"

namespace bounds_work_test {

gs::launch_work counted(const std::function<void()>& run) {
  gs::select_device(gs::device_kind::engine);
  const gs::inspection result = gs::inspect(run);
  for (const gs::finding& f : result.findings) ADD_FAILURE() << to_string(f.access.where) << ": " << f.meaning;
  EXPECT_FALSE(result.failure);
  EXPECT_EQ(result.kernels.size(), 1u);
  return result.kernels.empty() ? gs::launch_work{} : gs::work_of(result.kernels[0]);
}

void expect_as_counted(std::size_t elements, std::size_t side) {
  for (const bench::bounds::bounded_launch& l : bench::bounds::bounded_launches(elements, side)) {
    SCOPED_TRACE(l.name);
    const bench::bounds::prepared_launch launch = l.prepare();
    const gs::launch_work work = counted(launch.run);
    EXPECT_TRUE(launch.is_right());
    EXPECT_EQ(l.work.blocks, work.blocks);
    EXPECT_EQ(l.work.memory_bytes, work.memory_bytes);
    EXPECT_EQ(l.work.requests, work.requests);
    EXPECT_EQ(l.work.sectors, work.sectors);
    EXPECT_EQ(l.work.wavefronts, work.wavefronts);
  }
}

TEST(bounds_work, is_as_the_instruments_count_it) { expect_as_counted(8192, 64); }
TEST(bounds_work, is_as_counted_of_the_smallest_sizes) { expect_as_counted(1024, 32); }
TEST(bounds_work, is_as_counted_of_uneven_sizes) { expect_as_counted(263 * 1024, 96); }

}  // namespace bounds_work_test
