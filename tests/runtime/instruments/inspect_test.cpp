// gs::inspect itself: its switches, its independence of the schedule, failures.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/core/code_lines.h"
#include "tests/runtime/instruments/verdicts.h"
#include "tests/runtime/refused.h"

namespace {

using namespace runtime_test;
using enum gs::finding_kind;

void beyond(gs::thread t, gs::view<int> x) { x[t.grid() + 1] = 1; }
void twice(gs::thread t, gs::view<const int> x, gs::view<int> y) { y[t.grid()] = 2 * x[t.grid()]; }
void count(gs::thread, gs::view<int> n) { n[0] += 1; }
void sync_in_both_branches(gs::thread t, gs::view<int> x) {
  if (t.thread_rank() == 0)
    t.sync();
  else
    t.sync();
  x[t.thread_rank()] = 1;
}
void meet(gs::thread t) { t.grid_sync(); }
void fail(gs::thread t, gs::view<int> x) {
  x[t.grid()] = 1;
  if (t.grid() == 3) throw std::runtime_error("thread 3 fails");
}

constexpr const char* small_gpu = "7.2";  // holds 256 blocks at once

// For each instrument, code in which it alone finds something.
struct one_instrument {
  gs::instrument name;
  void (*code)();
};
gs::device_array<int>& lost() {
  static gs::device_array<int> array;
  return array;
}
const one_instrument instruments[] = {
    {gs::instrument::memcheck,
     [] {
       const auto x = filled(32, 0);
       gs::launch<beyond>({.block = 32}, x);
     }},
    {gs::instrument::initcheck,
     [] {
       gs::device_array<int> x(32), y(32);
       gs::launch<twice>({.block = 32}, x, y);
     }},
    {gs::instrument::racecheck,
     [] {
       const auto n = filled(1, 0);
       gs::launch<count>({.grid = 3}, n);
     }},
    {gs::instrument::synccheck,
     [] {
       const auto x = filled(32, 0);
       gs::launch<sync_in_both_branches>({.block = 32}, x);
     }},
    {gs::instrument::leakcheck, [] { lost() = filled(4, 0); }},
    {gs::instrument::limits, [] { gs::launch<meet>({.grid = 300, .block = 32, .cooperative = true}); }},
};
static_assert(std::size(instruments) == gs::detail::instrument_count);

int asked_for_lines = 0;
std::string count_asking(const std::string&, const std::vector<std::uintptr_t>& offsets) {
  ++asked_for_lines;
  std::string text;
  for (const std::uintptr_t offset : offsets) text += fmt::format("{:#x}\nf\n/my/wave.cpp:1\n", offset);
  return text;
}

// Both inspections come to the same call by another way. (Behind another test in one process, not even the first may
// ask.)
TEST(inspect, asks_for_no_line_twice) {
  const auto copy = [] { static_cast<void>(filled(4, 0).copy_to_host()); };
  const auto before = gs::detail::find_lines_by(&count_asking);
  gs::inspect(copy, all_instruments());
  const int once = asked_for_lines;
  gs::inspect([&] { copy(); }, all_instruments());
  gs::detail::find_lines_by(before);
  EXPECT_EQ(asked_for_lines, once);
}

// Nothing has been launched before.
TEST(inspect, counts_the_seconds_of_a_librarys_call_from_its_beginning) {
  gs::inspect_options options;
  double most = -1;
  options.on_progress = [&](const gs::inspect_progress& progress) {
    if (progress.kernel == "gemm") most = std::max(most, progress.launch_seconds);
  };
  gs::inspect(
      [] {
        const auto column = gs::to_device(std::vector<float>(100'000, 1.0f)).reshape({100'000, 1});
        static_cast<void>(gs::gemm(column, gs::to_device(std::vector<float>(1, 1.0f)).reshape({1, 1})));
      },
      options);
  EXPECT_GE(most, 0);
  EXPECT_LT(most, 60);
}

TEST(inspect, without_its_instrument_a_finding_is_gone) {
  for (const auto& [name, code] : instruments) {
    lost() = {};
    gs::inspect_options options = all_instruments();
    options.model = small_gpu;
    const auto result = gs::inspect(code, options);
    ASSERT_FALSE(result.failure) << to_string(name);
    ASSERT_EQ(result.findings.size(), 1u) << to_string(name);
    EXPECT_EQ(gs::instrument_of(result.findings[0].kind), name) << to_string(name);
    lost() = {};
    options = all_instruments_but(name);
    options.model = small_gpu;
    EXPECT_TRUE(clean(code, options)) << to_string(name);
    lost() = {};
    gs::inspect_options alone;
    alone.model = small_gpu;
    alone.instruments = 0;
    alone.instruments[static_cast<std::size_t>(name)] = true;
    alone.counters = false;
    const auto repeated_result = gs::inspect(code, alone);
    EXPECT_EQ(repeated_result.findings.size(), 1u) << to_string(name) << " alone";
    EXPECT_TRUE(repeated_result.lines.empty() && repeated_result.kernels.empty()) << to_string(name);
  }
  lost() = {};
}

void busy(gs::thread t, gs::view<float> x, gs::view<int> bins) {
  for (auto i : t.grid_stride(x.size())) {
    if (i + 1 < x.size()) x[i] += x[i + 1];
    gs::atomic_ref(bins[i % bins.size()]).fetch_add(1);
  }
  if (t.thread_rank() < 5) t.sync();
  bins[t.thread_rank()] = static_cast<int>(x[t.grid()]);
}
TEST(inspect, every_run_finds_and_counts_the_same) {
  const auto one_run = [] {
    const auto x = filled(5000, 1.0f);
    const auto bins = filled(40, 0);
    gs::stream first, second;
    return text_of(gs::inspect(
        [&] {
          gs::launch<busy>({.grid = 7, .block = 64, .stream = first}, x, bins);
          gs::launch<busy>({.grid = 5, .block = 32, .stream = second}, x, bins);
        },
        all_instruments()));
  };
  const std::string first = one_run();
  EXPECT_NE(first.find("race_between_streams"), first.npos) << first;
  for (int again = 0; again < 5; ++again) ASSERT_EQ(one_run(), first);
}

TEST(inspect, an_exception_in_a_kernel_is_the_failure) {
  const auto x = filled(8, 0);
  const auto result = gs::inspect([&] { gs::launch<fail>({.block = 8}, x); }, all_instruments());
  ASSERT_TRUE(result.failure);
  EXPECT_TRUE(refused<std::runtime_error>([&] { std::rethrow_exception(result.failure); }, {"thread 3 fails"}));
  EXPECT_TRUE(clean([&] { gs::launch<twice>({.block = 8}, x, filled(8, 0)); })) << "the next one is as usual";
}
TEST(inspect, an_exception_of_the_host_is_the_failure) {
  const auto result = gs::inspect([] { throw std::runtime_error("on the host"); }, all_instruments());
  ASSERT_TRUE(result.failure);
  EXPECT_FALSE(result.clean());
  EXPECT_TRUE(refused<std::runtime_error>([&] { std::rethrow_exception(result.failure); }, {"on the host"}));
}

TEST(inspect, a_view_of_the_hosts_memory_is_refused) {
  std::vector<int> host(4);
  const auto result =
      gs::inspect([&] { gs::launch<beyond>({.block = 4}, gs::view<int>(host.data(), 4)); }, all_instruments());
  ASSERT_TRUE(result.failure);
  EXPECT_TRUE(refused([&] { std::rethrow_exception(result.failure); }, {"memory that is not the device's"}));
}

TEST(inspect, the_environment_picks_instruments) {
  const auto picked = [](const char* text) {
    setenv("GRIDSTRIDE_INSPECT", text, 1);
    const auto options = gs::inspect_options::from_environment();
    return options.instruments.to_string() + (options.counters ? " and counters" : "");
  };
  EXPECT_EQ(picked(""), "111111 and counters");
  EXPECT_EQ(picked("all"), "111111 and counters");
  EXPECT_EQ(picked("racecheck,memcheck"), "000101");
  EXPECT_EQ(picked("counters"), "000000 and counters");
  EXPECT_EQ(picked("-leakcheck"), "101111 and counters");
  EXPECT_EQ(picked("all,-counters,-limits"), "011111");
  EXPECT_EQ(picked("none"), "000000");
  EXPECT_TRUE(gs::inspect_options::from_environment().same_value_races);
  EXPECT_EQ(picked("-same_value_races"), "111111 and counters");
  EXPECT_FALSE(gs::inspect_options::from_environment().same_value_races);
  EXPECT_TRUE(refused([&] { picked("racechek"); }, {"GRIDSTRIDE_INSPECT", "'racechek'", "racecheck"}));
  unsetenv("GRIDSTRIDE_INSPECT");
  setenv("GRIDSTRIDE_GPU", "6.1", 1);
  EXPECT_TRUE(refused([] { gs::inspect_options::from_environment(); }, {"'6.1'", "7.0"}));
  setenv("GRIDSTRIDE_GPU", "8.0", 1);
  EXPECT_EQ(gs::inspect_options::from_environment().model, "8.0");
  unsetenv("GRIDSTRIDE_GPU");
  EXPECT_EQ(gs::inspect_options::from_environment().orders, 2u);
  setenv("GRIDSTRIDE_ORDERS", "17", 1);
  EXPECT_EQ(gs::inspect_options::from_environment().orders, 17u);
  for (const char* wrong : {"0", "1001", "two", "2x", "-1", "99999999999"}) {
    setenv("GRIDSTRIDE_ORDERS", wrong, 1);
    EXPECT_TRUE(refused([] { gs::inspect_options::from_environment(); },
                        {"GRIDSTRIDE_ORDERS: '" + std::string(wrong) + "' is no number of orders", "from 1 to 1000"}));
  }
  unsetenv("GRIDSTRIDE_ORDERS");
}

TEST(inspect, one_at_a_time) {
  const auto outer = gs::inspect([] { gs::inspect([] {}, all_instruments()); }, all_instruments());
  ASSERT_TRUE(outer.failure);
  EXPECT_TRUE(refused([&] { std::rethrow_exception(outer.failure); }, {"gs::inspect", "is running already"}));
}

TEST(inspect, what_is_not_inspected_is_refused_at_once) {
  const auto x = filled(32, 0);
  EXPECT_TRUE(refused(
      [&] {
        gs::launch<beyond>({.block = 32}, x);
        gs::synchronize();
      },
      {"index 32", "inspect_test.cpp"}));
}

}  // namespace
