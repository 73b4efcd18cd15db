// The history has a line for each grading, and lines that were cut off spoil no other.

#include "assessments/grader/verdict/history.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>
#include <vector>

#include "tests/assessments/verdict/sample_verdict.h"
#include "tests/runtime/refused.h"
#include "tests/temporary_folder.h"

namespace history_test {

using grader::add_to_history;
using grader::history_file;
using grader::history_of_grades;
using gridstride_test::temporary_folder;
using runtime_test::refused;

grader::verdict with_points(double points) {
  grader::verdict v = sample_verdict();
  v.points = points;
  return v;
}

TEST(history, has_every_grading_in_its_order) {
  const temporary_folder folder;
  EXPECT_TRUE(history_of_grades(folder / "none").empty());
  for (const double points : {60.0, 20.5, 100.0}) add_to_history(with_points(points), folder / "grades");
  const auto attempts = history_of_grades(folder / "grades");
  ASSERT_EQ(attempts.size(), 3u);
  EXPECT_EQ(attempts[1].points, 20.5);
  EXPECT_EQ(attempts[1].possible, with_points(0).possible);
  EXPECT_EQ(attempts[1].task_id, "A2");
  EXPECT_EQ(attempts[1].task_version, 3u);
  EXPECT_EQ(attempts[1].graded, "2026-11-21T18:48:03Z");
  EXPECT_FALSE(attempts[1].passed);
}

TEST(history, passes_over_lines_that_were_cut_off) {
  const temporary_folder folder;
  add_to_history(with_points(1), folder.path());
  std::ofstream(history_file(folder.path()), std::ios::app) << "\n{\"task\": \"A";
  add_to_history(with_points(2), folder.path());
  std::ofstream(history_file(folder.path()), std::ios::app) << "\n{\"task\": \"A1\"}\nnonsense";
  add_to_history(with_points(3), folder.path());
  const auto attempts = history_of_grades(folder.path());
  ASSERT_EQ(attempts.size(), 3u);
  EXPECT_EQ(attempts[2].points, 3);
}

TEST(history, takes_lines_of_several_graders_at_once) {
  const temporary_folder folder;
  {
    std::vector<std::jthread> graders;
    for (int k = 0; k < 4; ++k)
      graders.emplace_back([&] {
        for (int n = 0; n < 50; ++n) add_to_history(with_points(n), folder.path());
      });
  }
  EXPECT_EQ(history_of_grades(folder.path()).size(), 200u);
}

TEST(history, says_why_it_cannot_be_written_or_read) {
  const temporary_folder folder;
  std::ofstream(folder / "file") << "no folder";
  EXPECT_TRUE(refused<gs::machine_error>([&] { add_to_history(with_points(1), folder / "file"); },
                                         {"noting the grade in ", "history.jsonl", "make the folder writable"}));
  std::filesystem::create_directories(history_file(folder.path()));
  EXPECT_TRUE(refused([&] { history_of_grades(folder.path()); }, {"reading the history of grades ", "history.jsonl"}));
}

}  // namespace history_test
