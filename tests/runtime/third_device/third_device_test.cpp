// The recording device itself: its record of requests, the thread that ran them, how the device is chosen, and the
// messages for devices that can't be registered.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "runtime/device/registered_device.h"
#include "runtime/gs.h"
#include "tests/runtime/refused.h"
#include "tests/runtime/starts_programs.h"
#include "tests/runtime/third_device/recording_device.h"

namespace third_device_test {

using runtime_test::refused;
using lines = std::vector<std::string>;

std::int64_t add(std::int64_t a, std::int64_t b) { return a + b; }
void add_to_all(gs::thread t, gs::view<int> x, int y) {
  for (auto i : t.grid_stride(x.size())) x[i] += y;
}
void meet(gs::thread t, gs::view<std::uint64_t> threads) {
  t.sync();
  threads[t.grid()] = std::hash<std::thread::id>()(std::this_thread::get_id());
  t.sync();
}
void meet_as_a_grid(gs::thread t, gs::view<std::uint64_t> threads) {
  t.grid_sync();
  threads[t.grid()] = std::hash<std::thread::id>()(std::this_thread::get_id());
}

class third_device : public testing::Test {
 protected:
  third_device() {
    gs::select_device(recording::kind());
    gs::synchronize();
    recording::take_log();
  }
  ~third_device() override { gs::select_device(gs::device_kind::engine); }
};

TEST_F(third_device, says_what_it_is) {
  EXPECT_EQ(gs::device().kind, recording::kind());
  EXPECT_EQ(gs::device().name, "recording device");
  EXPECT_EQ(to_string(gs::device().kind), "recording");
  EXPECT_EQ(gs::detail::registered_device::named("recording")->kind(), recording::kind());
  EXPECT_GE(static_cast<std::size_t>(recording::kind()), gs::detail::own_device_kinds);
  EXPECT_FALSE(gs::detail::registered_device::named("recording")->automatic());
}

TEST_F(third_device, is_handed_a_ufunc_between_its_copies) {
  const std::vector<std::int64_t> x{1, 2, 3};
  EXPECT_EQ(gs::vectorize<add>.on(gs::target::device)(x, std::int64_t{1}), (std::vector<std::int64_t>{2, 3, 4}));
  EXPECT_EQ(recording::take_log(), (lines{"copy 24 bytes to the device", "3 items of 1 threads: third_device_test::add",
                                          "copy 24 bytes to the host"}));
}

TEST_F(third_device, is_handed_the_blocks_of_a_launch) {
  const auto x = gs::to_device(std::vector<int>{1, 2, 3});
  gs::device_array<int> y(3);
  gs::launch<add_to_all>({.grid = 3, .block = 64}, x, 1);
  gs::sort(x, gs::out(y));
  EXPECT_EQ(y.copy_to_host(), (std::vector<int>{2, 3, 4}));
  EXPECT_EQ(recording::take_log(),
            (lines{"copy 12 bytes to the device", "3 items of 64 threads: third_device_test::add_to_all",
                   "1 items of 1 threads: sort", "copy 12 bytes to the host"}));
}

TEST_F(third_device, runs_all_threads_of_kernels_on_its_own) {
  const std::uint64_t own = std::hash<std::thread::id>()(recording::thread());
  EXPECT_NE(own, std::hash<std::thread::id>()(std::this_thread::get_id()));
  const gs::device_array<std::uint64_t> threads(40 * 32);
  gs::launch<meet>({.grid = 40, .block = 32}, threads);
  EXPECT_EQ(threads.copy_to_host(), std::vector<std::uint64_t>(40 * 32, own));
  gs::launch<meet_as_a_grid>({.grid = 40, .block = 32, .cooperative = true}, threads);
  EXPECT_EQ(threads.copy_to_host(), std::vector<std::uint64_t>(40 * 32, own));
}

TEST_F(third_device, can_not_be_registered_twice) {
  EXPECT_TRUE(refused(
      [] {
        static const gs::detail::registered_device second_registration(
            {.name = "recording", .why_missing = [] { return std::string(); }, .make = nullptr});
      },
      {"a device called recording", "there is one of that name already"}));
}

TEST_F(third_device, one_that_is_missing_says_why) {
  static const gs::detail::registered_device missing({.name = "absent",
                                                      .automatic = true,
                                                      .why_missing = [] { return std::string("nobody has built it"); },
                                                      .make = nullptr});
  EXPECT_TRUE(refused<gs::machine_error>([] { gs::select_device(missing.kind()); },
                                         {"device absent", "nobody has built it", "use the engine"}));
  EXPECT_EQ(gs::current_device(), recording::kind());
  EXPECT_TRUE(refused([] { gs::detail::parse_target("apsent"); },
                      {"use cpu, parallel, device, engine, cuda, ", "recording", " or absent"}));
}

// Ends the child process with what `ask` has said on standard error.
template <class Ask>
void report(const char* target, Ask ask) {
  if (target) setenv("GRIDSTRIDE_TARGET", target, 1);
  try {
    std::fprintf(stderr, "found %s\n", ask().c_str());
    std::exit(0);
  } catch (const gs::error& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    std::exit(2);
  }
}

std::string current() { return to_string(gs::current_device()); }
const char* const names[] = {"a", "b", "c", "d", "e", "f"};
std::string register_many() {
  for (const char* name : names)
    new gs::detail::registered_device({.name = name, .why_missing = [] { return std::string(); }, .make = nullptr});
  return "room for all";
}

class third_device_choice : public testing::Test {
 protected:
  third_device_choice() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  void SetUp() override { SKIP_UNLESS_PROGRAMS_START(); }
};

TEST_F(third_device_choice, is_made_by_its_name) {
  EXPECT_EXIT(report("recording", current), testing::ExitedWithCode(0), "found recording");
  EXPECT_EXIT(report("Recording", current), testing::ExitedWithCode(2),
              "GRIDSTRIDE_TARGET: 'Recording'; use cpu, parallel, device, engine, cuda, .*rec[a-z]* or rec[a-z]*");
}

TEST_F(third_device_choice, is_not_made_by_itself) {
  const char* const output = gs::why_no_cuda().empty() ? "found cuda" : "found engine";
  EXPECT_EXIT(report("device", current), testing::ExitedWithCode(0), output);
}

TEST_F(third_device_choice, of_more_than_there_are_numbers_is_refused) {
  EXPECT_EXIT(report(nullptr, register_many), testing::ExitedWithCode(2),
              "a device called [b-e]: there are 6 others; raise most_device_kinds in runtime/device/target.h");
}

}  // namespace third_device_test
