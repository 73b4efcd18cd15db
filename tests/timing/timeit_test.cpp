// timeit: the loop count, the statistics, and the text as IPython writes it.

#include "runtime/timing/timeit.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "runtime/core/error.h"
#include "tests/temporary_folder.h"

namespace {

using namespace std::chrono_literals;

TEST(timeit, runs_as_often_as_asked) {
  int executions = 0;
  const gs::timing t = gs::timeit([&] { ++executions; }, {.runs = 3, .loops = 11});
  EXPECT_EQ(executions, 33);
  EXPECT_EQ(t.loops, 11u);
  EXPECT_EQ(t.run_seconds.size(), 3u);
}

TEST(timeit, counts_loops_in_steps_of_1_2_5) {
  // A statement of 1 ms or a little more: 10 of them take 10 ms, 5 take under 10 ms unless the machine stalls.
  for (const auto& [seconds, least] :
       std::vector<std::pair<double, std::size_t>>{{0.0005, 1}, {0.002, 2}, {0.0045, 5}}) {
    // A stall while loops are counted makes fewer of them enough: then once more.
    gs::timing t;
    const auto is_enough = [&, least_seconds = seconds] {
      return static_cast<double>(t.loops) * t.best() >= least_seconds;
    };
    for (int attempt = 0; attempt < 20 && (attempt == 0 || !is_enough()); ++attempt)
      t = gs::timeit([] { std::this_thread::sleep_for(1ms); }, {.runs = 1, .min_run_seconds = seconds});
    std::size_t power = t.loops;
    while (power % 10 == 0) power /= 10;
    EXPECT_TRUE(power == 1 || power == 2 || power == 5) << t.loops;
    EXPECT_LE(t.loops, least);
    EXPECT_TRUE(is_enough()) << t.loops << " loops";
  }
}

TEST(timeit, takes_the_first_count_that_is_long_enough) {
  // A run of n loops spins for 10 n ms, so 1, 2, 5, 10, 20 loops are tried for 199 ms.
  std::vector<std::size_t> tried;
  const auto run = [&tried](std::size_t loops) {
    tried.push_back(loops);
    const auto end = std::chrono::steady_clock::now() + loops * 10ms;
    while (std::chrono::steady_clock::now() < end) {
    }
  };
  const gs::timing t = gs::detail::time_runs(run, {.runs = 2, .min_run_seconds = 0.199});
  EXPECT_EQ(t.loops, 20u);
  EXPECT_EQ(tried, (std::vector<std::size_t>{1, 2, 5, 10, 20, 20, 20}));
}

TEST(timeit, times_what_the_clock_says) {
  const auto start = std::chrono::steady_clock::now();
  const gs::timing t = gs::timeit([] { std::this_thread::sleep_for(2ms); }, {.runs = 3, .loops = 2});
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  EXPECT_GE(t.best(), 0.002);
  EXPECT_LE(3 * 2 * t.best(), elapsed.count()) << "3 runs of 2 calls took at least as long as the best";
}

TEST(timeit, stops_when_the_time_is_spent_but_makes_one_run) {
  int executions = 0;
  const auto slow = [&] {
    ++executions;
    std::this_thread::sleep_for(30ms);
  };
  const gs::timing t = gs::timeit(slow, {.runs = 100, .min_run_seconds = 0.001, .max_seconds = 0.1});
  EXPECT_LT(t.run_seconds.size(), 6u);
  executions = 0;
  const gs::timing limited = gs::timeit(slow, {.runs = 100, .max_seconds = 0.001});
  EXPECT_EQ(limited.run_seconds.size(), 1u);
  EXPECT_EQ(limited.loops, 1u);
  EXPECT_EQ(executions, 2);  // one to find the count
}

TEST(timeit, statistics_are_those_of_plain_formulas) {
  const gs::timing t{{3e-6, 1e-6, 2e-6, 6e-6}, 10};
  EXPECT_DOUBLE_EQ(t.mean(), 3e-6);
  EXPECT_DOUBLE_EQ(t.best(), 1e-6);
  EXPECT_DOUBLE_EQ(t.worst(), 6e-6);
  // squares of the distances from 3: 0, 4, 1, 9; divided by their number, 3.5
  EXPECT_NEAR(t.standard_deviation(), std::sqrt(3.5) * 1e-6, 1e-18);
  EXPECT_EQ(gs::timing{}.mean(), 0);
  EXPECT_EQ(gs::timing{}.standard_deviation(), 0);
  EXPECT_EQ(gs::timing{}.best(), 0);
}

TEST(timeit, refuses_options_without_sense) {
  const auto empty_call = [] {};
  const auto message = [&](const gs::timeit_options& o) -> std::string {
    try {
      gs::timeit(empty_call, o);
    } catch (const gs::error& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(message({.runs = 0}), "timeit options: runs is 0; make at least 1 run");
  EXPECT_EQ(message({.runs = -3}), "timeit options: runs is -3; make at least 1 run");
  EXPECT_EQ(message({.min_run_seconds = 0}), "timeit options: min_run_seconds is 0; give a time above 0");
  EXPECT_EQ(message({.min_run_seconds = std::nan("")}), "timeit options: min_run_seconds is nan; give a time above 0");
  EXPECT_EQ(message({.max_seconds = -1}), "timeit options: max_seconds is -1; give a time above 0");
  EXPECT_EQ(message({.bytes = -8}), "timeit options: bytes is -8; give those of one execution, or 0");
  EXPECT_EQ(message({.operations = std::nan("")}),
            "timeit options: operations is nan; give those of one execution, or 0");
}

TEST(timeit, writes_each_measurement_to_the_file_that_the_environment_names) {
  const gridstride_test::temporary_folder folder;
  const std::string file = (folder.path() / "times").string();
  setenv("GRIDSTRIDE_TIMEIT_FILE", file.c_str(), 1);
  const gs::timing first = gs::timeit([] {}, {.runs = 2, .loops = 3, .bytes = 12e6, .operations = 5});
  const unsigned line = __LINE__ - 1;
  gs::timeit([] {}, {.runs = 1, .loops = 1});
  setenv("GRIDSTRIDE_TIMEIT_FILE", (folder.path() / "no/such").c_str(), 1);
  EXPECT_THROW(gs::timeit([] {}, {.runs = 1, .loops = 1}), gs::error);
  unsetenv("GRIDSTRIDE_TIMEIT_FILE");
  gs::timeit([] {}, {.runs = 1, .loops = 1});
  std::ifstream text(file);
  std::vector<std::string> lines;
  for (std::string one; std::getline(text, one);) lines.push_back(one);
  ASSERT_EQ(lines.size(), 2u);
  std::istringstream words(lines[0]);
  std::string name;
  std::getline(words, name, '\t');
  EXPECT_EQ(name, __FILE__);
  double number[7];
  for (double& n : number) ASSERT_TRUE(words >> n) << lines[0];
  EXPECT_EQ(number[0], line);
  EXPECT_EQ(number[2], 12e6);
  EXPECT_EQ(number[3], 5);
  EXPECT_EQ(number[4], 3);
  EXPECT_EQ(number[5], first.run_seconds[0]);  // to the last bit
  EXPECT_EQ(number[6], first.run_seconds[1]);
}

TEST(timeit, lets_an_exception_of_the_statement_pass) {
  EXPECT_THROW(gs::timeit([] { throw std::out_of_range("here"); }), std::out_of_range);
}

TEST(timeit, keeps_work_whose_result_nobody_uses) {
  // 1,000 dependent divisions take at least a microsecond on any machine; an optimised-away loop takes none.
  double x = 1.5;
  const gs::timing t = gs::timeit(
      [&] {
        double y = x;
        for (int i = 0; i < 1000; ++i) y = 1 / (y + x);
        return y;
      },
      {.runs = 3, .min_run_seconds = 0.01});
  EXPECT_GT(t.best(), 1e-6);
}

TEST(timeit, do_not_optimize_takes_any_value) {
  gs::do_not_optimize(1);
  gs::do_not_optimize(2.5);
  gs::do_not_optimize(std::string("text"));
  gs::do_not_optimize(std::vector<int>{1, 2});
  const char* pointer = "here";
  gs::do_not_optimize(pointer);
}

TEST(timing_text, is_ipythons_line) {
  gs::timing t{std::vector<double>(7, 669e-9), 1000000};
  EXPECT_EQ(gs::to_string(t), "669 ns ± 0 ns per loop (mean ± std. dev. of 7 runs, 1000000 loops each)");
  EXPECT_EQ(gs::to_string(gs::timing{{1.5, 2.5}, 1}),
            "2 s ± 500 ms per loop (mean ± std. dev. of 2 runs, 1 loop each)");
  EXPECT_EQ(gs::to_string(gs::timing{{1e-3}, 10}), "1 ms ± 0 ns per loop (mean ± std. dev. of 1 run, 10 loops each)");
  // mean 669 ns, standard deviation 0.53 ns
  EXPECT_EQ(gs::to_string(gs::timing{{668.47e-9, 669.53e-9}, 1000000}),
            "669 ns ± 0.53 ns per loop (mean ± std. dev. of 2 runs, 1000000 loops each)");
}

TEST(timeit, keeps_to_the_time_that_the_environment_allows) {
  const auto wait = [] { std::this_thread::sleep_for(std::chrono::microseconds(100)); };
  setenv("GRIDSTRIDE_TIMEIT_SECONDS", "0.01", 1);
  const gs::timing t = gs::timeit(wait, {.runs = 3, .min_run_seconds = 2, .max_seconds = 20});
  EXPECT_LE(t.loops, 100u) << "2 s hold 20,000";
  for (const char* wrong : {"soon", "0", "-1", "1x"}) {
    setenv("GRIDSTRIDE_TIMEIT_SECONDS", wrong, 1);
    try {
      gs::timeit(wait);
      ADD_FAILURE() << wrong << " was taken";
    } catch (const gs::error& e) {
      EXPECT_EQ(std::string(e.what()), std::string("GRIDSTRIDE_TIMEIT_SECONDS: '") + wrong +
                                           "'; use a number of seconds above 0, or leave it unset");
    }
  }
  unsetenv("GRIDSTRIDE_TIMEIT_SECONDS");
}

TEST(timing_text, has_three_significant_digits_and_the_unit_that_fits) {
  const std::vector<std::pair<double, std::string>> cases{
      {0, "0 ns"},         {1e-12, "0.001 ns"},  {0.53e-9, "0.53 ns"}, {1e-9, "1 ns"},           {12.345e-9, "12.3 ns"},
      {669e-9, "669 ns"},  {999.4e-9, "999 ns"}, {999.6e-9, "1 µs"},   {1e-6, "1 µs"},           {1.5e-6, "1.5 µs"},
      {19.96e-6, "20 µs"}, {999.7e-6, "1 ms"},   {1e-3, "1 ms"},       {0.02, "20 ms"},          {0.1234, "123 ms"},
      {0.9999, "1 s"},     {1, "1 s"},           {1.2345, "1.23 s"},   {59.94, "59.9 s"},        {60, "1min"},
      {65, "1min 5s"},     {3600, "1h"},         {3725, "1h 2min 5s"}, {90061, "1d 1h 1min 1s"}, {-1e-3, "-1 ms"},
  };
  for (const auto& [seconds, text] : cases) EXPECT_EQ(gs::detail::format_seconds(seconds), text) << seconds;
}

}  // namespace
