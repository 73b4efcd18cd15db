// The record keeps the best verdict, and none that isn't a pass.

#include "assessments/grader/verdict/record.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>
#include <vector>

#include "tests/assessments/verdict/passed_verdicts.h"
#include "tests/runtime/refused.h"
#include "tests/temporary_folder.h"
#include "workbook/exercise/learner_folder.h"
#include "workshop/file_text.h"

namespace record_test {

using assessments_test::passed_verdict;
using grader::keep;
using grader::kept_grades;
using grader::verdict;
using gridstride_test::temporary_folder;
using runtime_test::refused;

verdict graded(double points, unsigned version = 1, const std::string& isolation = "bubblewrap") {
  verdict v = passed_verdict("A1", "neural_layer", "A neural layer", points);
  v.task_version = version;
  v.isolation = isolation;
  return v;
}

TEST(record, keeps_the_best_of_each_task) {
  temporary_folder folder;
  EXPECT_TRUE(kept_grades(folder / "none").empty());
  EXPECT_TRUE(keep(graded(90), folder / "grades"));
  EXPECT_FALSE(keep(graded(85), folder / "grades"));
  EXPECT_FALSE(keep(graded(90), folder / "grades"));
  EXPECT_EQ(kept_grades(folder / "grades").at("A1").points, 90);
  EXPECT_TRUE(keep(graded(95), folder / "grades"));
  EXPECT_TRUE(keep(passed_verdict("A2", "histogram", "A histogram", 80), folder / "grades"));
  const auto grades = kept_grades(folder / "grades");
  ASSERT_EQ(grades.size(), 2u);
  EXPECT_EQ(grades.at("A1").points, 95);
  EXPECT_EQ(grades.at("A2").task_name, "histogram");
}

TEST(record, isolated_is_better_and_a_newer_task_counts_alone) {
  temporary_folder folder;
  EXPECT_TRUE(keep(graded(90, 1, "not isolated"), folder.path()));
  EXPECT_TRUE(keep(graded(90, 1, "landlock"), folder.path()));
  EXPECT_FALSE(keep(graded(90, 1, "not isolated"), folder.path()));
  EXPECT_TRUE(keep(graded(82, 2), folder.path()));
  EXPECT_FALSE(keep(graded(100, 1), folder.path()));
}

TEST(record, keeps_nothing_that_is_not_passed) {
  temporary_folder folder;
  verdict v = graded(90);
  v.passed = false;
  EXPECT_FALSE(keep(v, folder / "grades"));
  EXPECT_FALSE(std::filesystem::exists(folder / "grades"));
}

TEST(record, says_which_file_is_no_grade_and_a_new_grade_takes_its_place) {
  temporary_folder folder;
  workshop::write_text(folder / "A1.json", "{", "writing it");
  EXPECT_TRUE(refused([&] { kept_grades(folder.path()); }, {"reading the grade ", "A1.json: it is no verdict (",
                                                            "remove the file, and grade the task again"}));
  EXPECT_TRUE(keep(graded(82), folder.path()));
  std::filesystem::rename(folder / "A1.json", folder / "A2.json");
  EXPECT_TRUE(refused([&] { kept_grades(folder.path()); },
                      {"A2.json: it is the grade of task A1; give it its own name again"}));
}

TEST(record, says_where_it_can_not_write) {
  EXPECT_TRUE(refused([] { keep(graded(90), "/proc/grades"); },
                      {"keeping the grade /proc/grades/A1.json: ", "check that its folder can be written to"}));
  EXPECT_TRUE(refused<gs::machine_error>([] { grader::keep_grade(graded(90), "/proc/grades"); },
                                         {"keeping the grade /proc/grades/A1.json: "}));
}

TEST(record, keeps_the_best_of_several_graders_at_a_time) {
  temporary_folder folder;
  std::vector<std::thread> graders;
  for (unsigned k = 0; k < 8; ++k) graders.emplace_back([&, k] { keep(graded(80 + k), folder.path()); });
  for (std::thread& g : graders) g.join();
  EXPECT_EQ(kept_grades(folder.path()).at("A1").points, 87);
}

TEST(my_folder, is_where_the_environment_says) {
  setenv("GRIDSTRIDE_MY", "/some/where", 1);
  EXPECT_EQ(grader::grades_folder(), "/some/where/grades");
  unsetenv("GRIDSTRIDE_MY");
  setenv("GRIDSTRIDE_ROOT", "/checkout", 1);
  EXPECT_EQ(workbook::my_folder(), "/checkout/my");
  unsetenv("GRIDSTRIDE_ROOT");
  EXPECT_TRUE(std::filesystem::exists(workbook::my_folder().parent_path() / "gridstride"));
}

}  // namespace record_test
