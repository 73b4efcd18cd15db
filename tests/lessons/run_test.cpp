// Every lesson runs at its default size and on every target, and refuses what it can't do.

#include <chrono>

#include "tests/lessons/lesson_process.h"

namespace {

using nlohmann::json;

class every_lesson : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { unsetenv("GRIDSTRIDE_TARGET"); }

  // What a report states, without what varies: times and the numbers that depend on rounding.
  static std::vector<std::string> statements(const json& report) {
    std::vector<std::string> names;
    for (const json& check : items_of(report, "check")) names.push_back(check.at("name"));
    return names;
  }
};

// The other tests measure for 0.02 s at a time, a learner's program for longer.
TEST_P(every_lesson, passes_with_longer_measurements_under_its_own_name) {
  setenv("GRIDSTRIDE_TIMEIT_SECONDS", "0.1", 1);
  const json report = passing_report(GetParam(), "");
  setenv("GRIDSTRIDE_TIMEIT_SECONDS", "0.02", 1);
  EXPECT_EQ(GetParam().substr(3), report.at("name").get<std::string>());
  EXPECT_EQ(std::stoi(GetParam().substr(0, 2)), report.at("lesson").get<int>());
}

TEST_P(every_lesson, states_the_same_on_every_target) {
  const std::string size = size_option(GetParam(), prime_size(GetParam()));
  const auto on_device = statements(passing_report(GetParam(), size + " --target engine"));
  for (const char* target : {"cpu", "parallel"}) {
    const json report = passing_report(GetParam(), size + " --target " + target);
    EXPECT_EQ(report.at("target"), target);
    EXPECT_EQ(statements(report), on_device);
  }
}

TEST_P(every_lesson, takes_its_seed_from_the_command_line) {
  const char* const seed = "18446744073709551615";
  const json report = passing_report(GetParam(), size_option(GetParam(), prime_size(GetParam())) + " --seed " + seed);
  EXPECT_EQ(report.at("seed").dump(), seed);
}

TEST_P(every_lesson, refuses_a_size_that_it_cannot_have) {
  if (size_option(GetParam(), "1").empty()) GTEST_SKIP() << "this lesson has no size";
  for (const char* size : {"-1", "1e15", "1.5", "many"}) {
    const lesson_outcome outcome = run_lesson(GetParam(), std::string("--size ") + size);
    EXPECT_EQ(outcome.status, 2) << size << "\n" << outcome.out;
    EXPECT_NE(outcome.out.find("--size: '" + std::string(size) + "'"), std::string::npos) << outcome.out;
  }
  EXPECT_EQ(run_lesson(GetParam(), "--no-such-option").status, 2);
}

INSTANTIATE_TEST_SUITE_P(, every_lesson, testing::ValuesIn(lesson_names()), test_name);

}  // namespace
