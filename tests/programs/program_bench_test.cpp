// The times of a user's own program, beside the limits of this machine.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/own_program/program_times.h"
#include "bench/own_program/times_table.h"
#include "runtime/core/error.h"
#include "tests/programs/written_programs.h"

namespace {

using bench::program_time, programs_test::ending, programs_test::expect_in, programs_test::expect_not_in;

struct program_bench : programs_test::written_programs {};

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const gs::error& problem) {
    return problem.what();
  }
  return "no error";
}

constexpr bench::loop_limits limits{.bytes_per_second = 50e9, .operations_per_second = 200e9};

// An array of 4 MB is doubled, and a number is computed.
const std::string timed = R"(#include <cstdio>
#include <cstdlib>
#include <vector>
#include "runtime/gs.h"

GS_FN float doubled(float x) { return 2 * x; }

int main(int argc, char** argv) {
  gs::device_array<float> x(1 << 20);
  gs::timeit([&] { gs::vectorize<doubled>(x, gs::out(x)); gs::synchronize(); },
             {.runs = 3, .loops = 2, .bytes = 8.0 * (1 << 20), .operations = 1 << 20});
  gs::timeit([] {}, {.runs = 3, .loops = 1000});
  std::printf("printed\n");
  return argc > 1 ? std::atoi(argv[1]) : 0;
}
)";

const std::string reporting = R"(#include "runtime/gs.h"
#include "workbook/lesson.h"

void run(const workbook::parameters& given, workbook::report& report) {
  report.timing("nothing, twice", gs::timeit([] {}, {.runs = 2, .loops = 10}), {.operations = 3.0 * given.size()});
  report.check("the size is below 100", given.size() < 100);
}

workbook::lesson workbook::this_lesson() {
  return {.name = "reporting",
          .title = "Nothing",
          .parameters = {workbook::integer{.name = "size", .text = "a number", .min = 1, .max = 1000, .default_value = 7}},
          .run = run};
}
)";

}  // namespace

TEST(program_times, are_read_as_timeit_writes_them) {
  EXPECT_TRUE(bench::read_times("").empty());
  const auto times = bench::read_times(
      "/home/ada/wave.cpp\t31\t7\t12000000\t0\t5\t0.25\t0.5\n"
      "other.cpp\t8\t7\t0\t0\t1\tnan\n"
      "other.cpp\t9\t7\t0\t2.5\t1\t1e-09\n");
  ASSERT_EQ(times.size(), 2u);  // the second one wasn't timed
  EXPECT_EQ(times[0].name, "wave.cpp:31");
  EXPECT_EQ(times[0].run_seconds, (std::vector<double>{0.25, 0.5}));
  EXPECT_EQ(times[0].bytes, 12e6);
  EXPECT_EQ(times[0].operations, 0);
  EXPECT_EQ(times[1].name, "other.cpp:9");
  EXPECT_EQ(times[1].operations, 2.5);
}

TEST(program_times, refuse_what_timeit_has_not_written) {
  EXPECT_EQ(message_of([] { bench::read_times("wave.cpp\t31\t7\t1\tmany\t5\t0.25\n"); }),
            "read the program's times: 'many' is no number, in: wave.cpp?31?7?1?many?5?0.25; let nothing but "
            "gs::timeit write "
            "to GRIDSTRIDE_TIMEIT_FILE");
  expect_in("'' is no number, in: printed", message_of([] { bench::read_times("printed\n"); }));
  expect_in("read the program's report", message_of([] { bench::read_report_times("printed\n"); }));
  expect_in("read the program's report", message_of([] { bench::read_report_times("{}"); }));
}

TEST(program_times, of_a_report_are_its_timings) {
  const auto times = bench::read_report_times(
      R"({"items": [{"kind": "heading", "text": "t"},
                    {"kind": "timing", "name": "add", "run_seconds": [0.5, 0.25], "bytes": 8},
                    {"kind": "timing", "name": "not timed", "run_seconds": [null]}]})");
  ASSERT_EQ(times.size(), 1u);
  EXPECT_EQ(times[0].name, "add");
  EXPECT_EQ(times[0].run_seconds, (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(times[0].bytes, 8);
  EXPECT_EQ(times[0].operations, 0);
}

TEST(times_table, has_the_best_limit_of_each_kind) {
  const auto best = bench::loop_limits_of({{"copy, streaming stores", "GB/s", 40, {}},
                                           {"read", "GB/s", 50, {}},
                                           {"float32 multiply-add, all cores", "GFLOP/s", 200, {}},
                                           {"float32 multiply-add, one core", "GFLOP/s", 60, {}},
                                           {"fork-join, OpenMP", "µs", 900, {}}});
  EXPECT_EQ(best.bytes_per_second, 50e9);
  EXPECT_EQ(best.operations_per_second, 200e9);
}

TEST(times_table, shows_rates_and_shares_where_the_work_is_known) {
  EXPECT_EQ(bench::times_text("my/wave.cpp",
                              {{.name = "add", .run_seconds = {0.001, 0.001, 0.001}, .bytes = 40e6, .operations = 1e6},
                               {.name = "wave.cpp:31", .run_seconds = {2e-6}},
                               {.name = "cached", .run_seconds = {1}, .bytes = 100e9}},
                              limits),
            R"(my/wave.cpp, beside the limits of this machine

                    time             GB/s  of memory   GFLOP/s of arithmetic
  add               1 ms ± 0 %         40       80 %         1         0.5 %
  wave.cpp:31       2 µs ± 0 %
  cached             1 s ± 0 %        100      200 %

  memory 50 GB/s, arithmetic 200 GFLOP/s (float32, multiply-adds on all cores), measured just now
  More than 100 % of memory: the numbers stay in a cache, or the limits were measured beside others.
  A rate needs what one execution moves and computes: gs::timeit(statement, {.bytes = 12e6, .operations = 1e6})
)");
  expect_not_in("A rate needs",
                bench::times_text("w", {{.name = "add", .run_seconds = {1}, .bytes = 1, .operations = 0}}, limits));
}

TEST_F(program_bench, shows_each_timeit_of_a_program) {
  write("timed.cpp", timed);
  const ending e = run("timed.cpp");
  EXPECT_EQ(e.status, 0) << e.error;
  expect_in("printed\n", e.out);
  expect_in("timed.cpp, beside the limits of this machine", e.out);
  expect_in("  timed.cpp:10 ", e.out);
  expect_in("  timed.cpp:12 ", e.out);
  expect_in("A rate needs what one execution moves", e.out);
}

TEST_F(program_bench, writes_one_document) {
  write("timed.cpp", timed);
  const ending e = run("--json timed.cpp");
  ASSERT_EQ(e.status, 0) << e.error;
  EXPECT_EQ(e.error, "printed\n");
  const auto document = nlohmann::json::parse(e.out);
  EXPECT_EQ(document["program"], "timed.cpp");
  ASSERT_EQ(document["timings"].size(), 2u);
  const auto& first = document["timings"][0];
  EXPECT_EQ(first["run_seconds"].size(), 3u);
  EXPECT_EQ(first["bytes"], 8.0 * (1 << 20));
  const double seconds = first["median_seconds"], memory = document["limits"]["bytes_per_second"],
               arithmetic = document["limits"]["operations_per_second"];
  EXPECT_GT(memory, 1e8);
  EXPECT_GT(arithmetic, 1e8);
  EXPECT_DOUBLE_EQ(first["of_memory"], 8.0 * (1 << 20) / seconds / memory);
  EXPECT_DOUBLE_EQ(first["of_arithmetic"], (1 << 20) / seconds / arithmetic);
  EXPECT_FALSE(document["timings"][1].contains("bytes"));
  EXPECT_FALSE(document["timings"][1].contains("of_arithmetic"));
}

TEST_F(program_bench, shows_the_timings_of_a_report) {
  write("reporting.cpp", reporting);
  const ending e = run("--json reporting.cpp --size 9");
  ASSERT_EQ(e.status, 0) << e.error;
  const auto document = nlohmann::json::parse(e.out);
  ASSERT_EQ(document["timings"].size(), 1u);
  EXPECT_EQ(document["timings"][0]["name"], "nothing, twice");
  EXPECT_EQ(document["timings"][0]["operations"], 27);
  const ending failed = run("reporting.cpp --size 100");
  EXPECT_EQ(failed.status, 1);
  expect_in("reporting.cpp ended with status 1: its times aren't shown.", failed.error);
}

TEST_F(program_bench, says_what_is_wrong) {
  write("timed.cpp", timed);
  const ending failed = run("timed.cpp 5");
  EXPECT_EQ(failed.status, 5);
  expect_in("timed.cpp ended with status 5: its times aren't shown.\n", failed.error);
  expect_not_in("beside the limits", failed.out);
  write("untimed.cpp", "int main() {}\n");
  const ending untimed = run("untimed.cpp");
  EXPECT_EQ(untimed.status, 2);
  expect_in("bench untimed.cpp: the program has timed nothing; time a statement: gs::timeit(", untimed.error);
  write("wrong.cpp", "int main() { return unknown; }\n");
  const ending wrong = run("wrong.cpp");
  EXPECT_EQ(wrong.status, 1);
  expect_in("wrong.cpp doesn't compile.", wrong.error);
  EXPECT_EQ(run("absent.cpp").status, 2);
  const ending option = run("--cores timed.cpp");
  EXPECT_EQ(option.status, 2);
  expect_in("bench --cores: that is no option of it where a program is named", option.error);
  const ending help = run("--help");
  EXPECT_EQ(help.status, 0);
  expect_in("bench [--json] FILES [ARGUMENTS]", help.out);
}
