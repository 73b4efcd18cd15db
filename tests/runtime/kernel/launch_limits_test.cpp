// What a launch refuses, and with which message; a refused launch runs nothing and isn't counted.

#include "runtime/kernel/launch_options.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "runtime/gs.h"
#include "tests/runtime/refused.h"

namespace physics {
GS_FN void step(gs::thread t, gs::view<float> x) {
  for (auto i : t.grid_stride(x.size())) x[i] = 1;
}
GS_FN void count(gs::thread, std::int16_t, std::uint32_t) {}
GS_FN void sum_into(gs::thread, gs::view<const float>, int, gs::view<float>) {}
}  // namespace physics

namespace {

using runtime_test::refused;

class launch_limits : public testing::Test {
 protected:
  // Whether the launch is refused with these words, before anything ran.
  testing::AssertionResult refuses(const gs::launch_options& options, std::initializer_list<std::string> parts) {
    gs::ledger_scope scope;
    const auto result = refused([&] { gs::launch<physics::step>(options, array); }, parts);
    if (!result) return result;
    if (scope.account().launches != 0) return testing::AssertionFailure() << "the launch was counted";
    if (array.copy_to_host() != std::vector<float>(8)) return testing::AssertionFailure() << "the kernel has run";
    return testing::AssertionSuccess();
  }
  gs::device_array<float> array = gs::to_device(std::vector<float>(8));
};

TEST_F(launch_limits, threads_per_block) {
  EXPECT_TRUE(refuses({.grid = 1, .block = 0},
                      {"physics::step", "a block of (0, 1, 1)", "its x extent is 0", "use 1 to 1024"}));
  EXPECT_TRUE(refuses({.grid = 1, .block = -5}, {"(-5, 1, 1)", "its x extent is -5"}));
  EXPECT_TRUE(refuses({.grid = 1, .block = 1025}, {"(1025, 1, 1)", "its x extent is 1025", "use 1 to 1024"}));
  EXPECT_TRUE(refuses({.grid = 1, .block = 2000}, {"(2000, 1, 1)", "use 1 to 1024"}));
  EXPECT_TRUE(refuses({.grid = 1, .block = {1, 0}}, {"its y extent is 0"}));
  EXPECT_TRUE(refuses({.grid = 1, .block = {1, 1, 65}}, {"(1, 1, 65)", "its z extent is 65", "use 1 to 64"}));
  EXPECT_TRUE(refuses({.grid = 1, .block = {32, 32, 2}}, {"a block of (32, 32, 2)", "that is 2048 threads per block",
                                                          "use at most 1024, and more blocks"}));
  EXPECT_TRUE(refuses({.grid = 1, .block = std::int64_t{1} << 33}, {"(8589934592, 1, 1)"}));
}

TEST_F(launch_limits, blocks_per_grid) {
  EXPECT_TRUE(refuses({.grid = 0, .block = 32}, {"a grid of (0, 1, 1)", "its x extent is 0", "use 1 to 2147483647"}));
  EXPECT_TRUE(refuses({.grid = -1, .block = 32}, {"its x extent is -1"}));
  EXPECT_TRUE(refuses({.grid = {1, 65'536}, .block = 1}, {"(1, 65536, 1)", "its y extent", "use 1 to 65535"}));
  EXPECT_TRUE(refuses({.grid = {1, 1, 65'536}, .block = 1}, {"its z extent is 65536", "use 1 to 65535"}));
  EXPECT_TRUE(refuses({.grid = std::int64_t{1} << 31, .block = 1}, {"its x extent is 2147483648"}));
  EXPECT_TRUE(refuses({.grid = {1, 1, 0}, .block = 1}, {"its z extent is 0"}));
}

TEST_F(launch_limits, what_is_just_allowed_runs) {
  gs::launch<physics::step>({.grid = 1, .block = 1024}, array);
  EXPECT_EQ(array.copy_to_host(), std::vector<float>(8, 1.0f));
  EXPECT_NO_THROW(gs::detail::check_launch({.grid = {2'147'483'647, 65'535, 65'535}, .block = {4, 4, 64}}, "f"));
}

TEST_F(launch_limits, arrays_that_dont_fit) {
  const auto matrix = gs::device_array<float>({2, 4});
  EXPECT_TRUE(refused([&] { gs::launch<physics::step>({}, matrix); },
                      {"argument 1 of a launch of", "step, a view of rank 1", "(2, 4)"}));
  auto moved = std::move(array);
  EXPECT_TRUE(
      refused([&] { gs::launch<physics::step>({}, array); }, {"argument 1 of a launch of", "it was moved from"}));
}

TEST_F(launch_limits, the_argument_that_doesnt_fit_is_named) {
  const auto matrix = gs::device_array<float>({2, 4});
  EXPECT_TRUE(refused(
      [&] { gs::launch<physics::sum_into>({.block = 32}, array, 1, matrix); },
      {"argument 3 of a launch of", "sum_into, a view of rank 1", "the array's shape is (2, 4)", "reshape the array"}));
}

TEST_F(launch_limits, views_of_host_memory) {
  std::vector<float> host(8);
  const gs::view<float> view(host.data(), host.size());
  EXPECT_TRUE(refused([&] { gs::launch<physics::step>({}, view); },
                      {"argument 1 of a launch of", "memory that is not the device's", "gs::to_device"}));
  EXPECT_NO_THROW(gs::launch<physics::step>({}, gs::view<float>(nullptr, 0)));
  gs::synchronize();
}

TEST_F(launch_limits, integers_that_dont_fit) {
  EXPECT_TRUE(refused([] { gs::launch<physics::count>({}, 32'768, 0); },
                      {"argument 1 of a launch of", "count as int16", "doesn't fit", "widen the kernel's parameter"}));
  EXPECT_TRUE(refused([] { gs::launch<physics::count>({}, 0, -1); }, {"argument 2 of a launch of", "count as uint32"}));
  EXPECT_TRUE(refused([] { gs::launch<physics::count>({}, 0, std::int64_t{1} << 32); }, {"argument 2"}));
}

}  // namespace
