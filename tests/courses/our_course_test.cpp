// Our own course, checked like any other: a folder with course.json. What its exercises and solutions do is tested
// one by one, by every_exercise, right_solution and wrong_solution.

#include <gtest/gtest.h>

#include "courses/file_findings.h"
#include "workbook/course_file.h"

namespace {

TEST(our_course, lacks_nothing) {
  const auto course = workbook::course_root();
  EXPECT_EQ(to_string(courses::file_findings(course)), "");
  EXPECT_EQ(workbook::read_course_file(course).parts.size(), 6u);
  EXPECT_GE(courses::assessment_folders(course).size(), 3u);
}

}  // namespace
