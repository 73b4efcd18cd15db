// Contests in other processes: the protocol, the number of cores, and the messages for one that crashes,
// babbles or falls silent. The other side is a line of shell here.
#include <gtest/gtest.h>
#include <sched.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/measure/agreement.h"
#include "bench/measure/child_contest.h"
#include "bench/report/scaling.h"
#include "runtime/core/error.h"

namespace bench {
namespace {

std::vector<std::string> shell(const std::string& script) { return {"/bin/sh", "-c", script}; }

const std::string hello = R"(echo '{"entrants": [{"name": "ours", "role": 0, "hardware": 0, "calls": 3},)"
                          R"( {"name": "alone", "role": 0, "hardware": 1, "calls": 1}]}';)";

std::size_t allowed_cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  return static_cast<std::size_t>(CPU_COUNT(&allowed));
}

TEST(child_contest, measures_a_round_for_each_line) {
  child_contest c(shell(hello + "read a; echo '{\"seconds\": [0.5, 2]}'; read b; echo '{\"seconds\": [0.25, 4]}'"), 1);
  ASSERT_EQ(c.entrants().size(), 2u);
  EXPECT_EQ(c.entrants()[0].name, "ours");
  EXPECT_EQ(c.entrants()[0].calls, 3u);
  EXPECT_EQ(c.entrants()[1].hardware, hardware::one_core);
  c.round();
  c.round();
  EXPECT_EQ(c.entrants()[0].seconds, (std::vector{0.5, 0.25}));
  EXPECT_EQ(c.entrants()[1].seconds, (std::vector{2.0, 4.0}));
}

TEST(child_contest, runs_on_as_many_cores_as_it_is_told) {
  for (const std::size_t cores : {std::size_t{1}, allowed_cores()}) {
    child_contest c(
        shell(hello +
              "read a; echo \"{\\\"seconds\\\": [$(env -u OMP_NUM_THREADS nproc), $GRIDSTRIDE_THREADS]}\"; read b"),
        cores);
    c.round();
    EXPECT_EQ(c.entrants()[0].seconds[0], static_cast<double>(cores)) << "cores that it may use";
    EXPECT_EQ(c.entrants()[1].seconds[0], static_cast<double>(cores)) << "threads that it is told to use";
  }
}

TEST(child_contest, that_goes_wrong_is_named) {
  const auto error_of = [](const std::string& script, double patience = 300) -> std::string {
    try {
      child_contest c(shell(script), 2, patience);
      c.round();
    } catch (const gs::machine_error& e) {
      return e.what();
    }
    return "";
  };
  const auto message = [](const std::string& mistake) {
    return "a measurement on 2 cores: " + mistake + "; run this workload alone to see what it says";
  };
  EXPECT_EQ(error_of("exit 3"), message("the process has ended"));
  EXPECT_EQ(error_of(hello + "exit 3"), message("the process has ended"));
  EXPECT_EQ(error_of("kill -SEGV $$"), message("the process has ended"));
  EXPECT_EQ(error_of("echo nonsense; read a"), message("the process says something that isn't its protocol"));
  EXPECT_EQ(error_of("echo '[1, 2]'; read a"), message("the process says something that isn't its protocol"));
  EXPECT_EQ(error_of(hello + "read a; echo '{\"seconds\": [\"x\", 1]}'"),
            message("the process says something that isn't its protocol"));
  EXPECT_EQ(error_of(hello + "read a; echo '{\"seconds\": [1]}'"),
            message("the process has other entrants than before"));
  EXPECT_EQ(error_of("exec sleep 100", 0.1), message("the process has been silent for 0.1 s"));
  EXPECT_EQ(error_of(R"(echo '{"skipped": "no room"}')"), message("no room"));
  EXPECT_THROW(child_contest(shell(R"(echo '{"wrong": "a and b differ"}')"), 1), disagreement);
  EXPECT_THROW(child_contest({"/no/such/program"}, 1), gs::machine_error);
}

// What the child answers to `requests`, line by line.
std::vector<nlohmann::json> served(const workload& w, std::string requests) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* in = requests.empty() ? std::fopen("/dev/null", "r") : fmemopen(requests.data(), requests.size(), "r");
  std::FILE* out = open_memstream(&text, &size);
  serve_rounds(w, in, out);
  std::fclose(in);
  std::fclose(out);
  std::vector<nlohmann::json> answers;
  std::istringstream lines(std::string(text, size));
  for (std::string line; std::getline(lines, line);) answers.push_back(nlohmann::json::parse(line));
  std::free(text);
  return answers;
}

TEST(child_contest, the_childs_side) {
  const auto work_of = [](std::function<contest()> prepare) {
    return workload{.name = "known", .text = "nothing", .prepare = std::move(prepare)};
  };
  const auto answers = served(work_of([] {
                                contest c;
                                c.add("ours", role::ours, hardware::one_core, [](std::size_t) {}, 5);
                                return c;
                              }),
                              "round\nround\n");
  ASSERT_EQ(answers.size(), 3u);
  const auto& our_entrant = answers[0]["entrants"][0];
  EXPECT_EQ(our_entrant["name"], "ours");
  EXPECT_EQ(our_entrant["role"].get<role>(), role::ours);
  EXPECT_EQ(our_entrant["hardware"].get<hardware>(), hardware::one_core);
  EXPECT_EQ(our_entrant["calls"], 5);
  for (const std::size_t round : {1, 2}) EXPECT_GT(answers[round]["seconds"][0], 0);

  const auto wrong = served(work_of([]() -> contest { throw disagreement("1 and 2 differ"); }), "round\n");
  EXPECT_EQ(wrong, (std::vector<nlohmann::json>{{{"wrong", "1 and 2 differ"}}}));
  const auto skipped = served(work_of([]() -> contest { throw gs::machine_error("a", "b", "c"); }), "");
  EXPECT_EQ(skipped, (std::vector<nlohmann::json>{{{"skipped", "a: b; c"}}}));
}

TEST(scaling, core_counts) {
  EXPECT_EQ(core_counts(1), (std::vector<std::size_t>{1}));
  EXPECT_EQ(core_counts(4), (std::vector<std::size_t>{1, 2, 3, 4}));
  EXPECT_EQ(core_counts(8).size(), 8u);
  EXPECT_EQ(core_counts(12), (std::vector<std::size_t>{1, 2, 4, 8, 12}));
  EXPECT_EQ(core_counts(64), (std::vector<std::size_t>{1, 2, 4, 8, 16, 32, 64}));
}

// On two cores twice as fast, and on three no faster than that.
const std::string twice_as_fast = hello +
                                  "case $GRIDSTRIDE_THREADS in 1) s=8;; *) s=4;; esac;"
                                  "while read a; do echo \"{\\\"seconds\\\": [$s, 8]}\"; done";

TEST(scaling, speed_up_and_efficiency) {
  std::string progress;
  const workload w{.name = "known", .text = "known times", .elements = 1000, .dtype = "float32", .prepare = {}};
  workload huge = w, broken = w;
  huge.memory = std::numeric_limits<std::size_t>::max() / 6;
  broken.name = "broken";
  const auto measurements = run_on_cores(
      {w, huge, broken}, {1, 2, 3},
      [](const workload& workload_of_child) {
        return shell(workload_of_child.name == "broken" ? "echo '{\"wrong\": \"differs\"}'" : twice_as_fast);
      },
      {.rounds = {.least = 7, .most = 9, .narrow = 0.01}},
      [&](const scaling& s) { progress += s.workload.name + " "; });
  EXPECT_EQ(progress, "known known broken ");
  ASSERT_EQ(measurements.size(), 3u);
  const auto scaling = evaluate_scaling(measurements[0]);
  ASSERT_EQ(scaling.size(), 1u) << "one that uses one core alone doesn't scale";
  ASSERT_EQ(scaling[0].size(), 3u);
  EXPECT_EQ(scaling[0][1].entrant->seconds.size(), 7u) << "narrow at once";
  EXPECT_DOUBLE_EQ(scaling[0][0].efficiency, 1);
  EXPECT_DOUBLE_EQ(scaling[0][1].speedup.median, 2);
  EXPECT_DOUBLE_EQ(scaling[0][1].efficiency, 1);
  EXPECT_DOUBLE_EQ(scaling[0][2].efficiency, 2.0 / 3);
  const std::string text = scaling_text(measurements[0]);
  for (const char* part :
       {"known: known times, 1,000 x float32", "ours", "8.00 s", "4.00 s", "2.00 [2.00, 2.00]", "100 %", "67 %"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in\n" << text;
  EXPECT_NE(scaling_text(measurements[1]).find("skipped: needs"), std::string::npos);
  EXPECT_NE(scaling_text(measurements[1]).find("a copy for each number of cores"), std::string::npos);
  EXPECT_NE(scaling_text(measurements[2]).find("WRONG: differs"), std::string::npos);
}

}  // namespace
}  // namespace bench
