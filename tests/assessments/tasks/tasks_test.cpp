// The tasks of the course: what their task.json promises, their problems can keep.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "assessments/grader/tasks/problem.h"
#include "assessments/grader/tasks/task.h"
#include "runtime/core/error.h"
#include "workbook/catalogue.h"
#include "workbook/course_file.h"

namespace tasks_test {

std::vector<grader::test_case> all_cases(const grader::task& t) {
  std::vector<grader::test_case> cases = t.public_cases;
  cases.insert(cases.end(), t.hidden_cases.begin(), t.hidden_cases.end());
  for (const grader::criterion& c : t.criteria) {
    cases.insert(cases.end(), c.cases.begin(), c.cases.end());
    if (c.gpu) cases.insert(cases.end(), c.gpu->cases.begin(), c.gpu->cases.end());
  }
  return cases;
}

std::uint64_t bytes_of_arrays(const grader::call_plan& plan) {
  std::uint64_t sum = 0;
  for (const grader::array_plan& a : plan.arrays) {
    std::uint64_t bytes = a.element_bytes;
    for (const std::size_t extent : a.extents) bytes *= extent;
    sum += bytes;
  }
  return sum;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(tasks, are_those_of_the_course) {
  std::vector<std::string> names;
  for (const grader::task& t : grader::all_tasks()) names.push_back(t.id + "_" + t.name);
  EXPECT_EQ(names, (std::vector<std::string>{"A1_neural_layer", "A2_histogram", "A3_transpose", "A4_nbody",
                                             "A5_stream_compaction"}));
  for (const grader::task& t : grader::all_tasks()) EXPECT_EQ(t.folder.filename(), t.id + "_" + t.name);
}

TEST(tasks, belong_to_the_part_that_the_syllabus_shows_them_in) {
  const std::string syllabus = text_of(workbook::course_root() / "lessons/README.md");
  for (const grader::task& t : grader::all_tasks()) {
    const std::size_t link = syllabus.find("assessments/" + t.folder.filename().string() + "/README.md");
    ASSERT_NE(link, std::string::npos) << t.id;
    ASSERT_TRUE(t.part) << t.id;
    const std::string heading = "## Part " + std::to_string(*t.part) + ":", any = "\n## Part ";
    EXPECT_EQ(syllabus.substr(syllabus.rfind(any, link) + 1, heading.size()), heading) << t.id;
    EXPECT_TRUE(grader::part_of(t, workbook::parts_of(workbook::course_root()))) << t.id;
  }
}

TEST(tasks, points_add_up_to_100) {
  for (const grader::task& t : grader::all_tasks()) {
    double points = 0, required = 0;
    for (const grader::criterion& c : t.criteria) {
      points += c.points;
      if (c.required) required += c.points;
    }
    EXPECT_EQ(points, 100) << t.id;
    EXPECT_EQ(t.pass_points, 60) << t.id;
    EXPECT_LT(required, 100) << t.id;
  }
}

TEST(tasks, their_problems_know_every_case) {
  for (const grader::task& t : grader::all_tasks()) {
    const auto problem = grader::problem_of(t.id);
    for (const grader::test_case& c : all_cases(t)) {
      const std::uint64_t bytes = bytes_of_arrays(problem->plan(c));
      EXPECT_TRUE(bytes < 200'000'000 || c.bytes_needed > bytes) << t.id << ", " << to_string(c);
    }
  }
}

// The course's rule for sizes: 0, 1, 31, 32, 33, a prime, a large one.
TEST(tasks, call_with_the_sizes_that_find_mistakes) {
  for (const grader::task& t : grader::all_tasks()) {
    const std::string size_name = t.id == "A3" ? "rows" : t.id == "A4" ? "bodies" : "values";
    std::set<std::uint64_t> sizes;
    for (const auto* cases : {&t.public_cases, &t.hidden_cases})
      for (const grader::test_case& c : *cases) sizes.insert(c.sizes.at(size_name));
    for (const std::uint64_t size : {0, 1, 31, 32, 33, 1009}) EXPECT_TRUE(sizes.contains(size)) << t.id << " " << size;
    EXPECT_GT(*sizes.rbegin(), 1'000u) << t.id;
    EXPECT_GE(t.hidden_cases.size(), 8u) << t.id;
  }
}

TEST(tasks, their_signature_stands_in_task_h) {
  const auto without_blanks = [](std::string s) {
    std::erase_if(s, [](unsigned char c) { return std::isspace(c); });
    return s;
  };
  for (const grader::task& t : grader::all_tasks()) {
    EXPECT_NE(without_blanks(text_of(t.folder / "task.h")).find(without_blanks(t.signature)), std::string::npos)
        << t.id;
    EXPECT_NE(without_blanks(text_of(t.folder / "README.md")).find(without_blanks(t.signature)), std::string::npos)
        << t.id;
    EXPECT_NE(t.signature.find(" " + t.function + "("), std::string::npos) << t.id;
  }
}

TEST(tasks, their_texts_are_short_and_name_every_point) {
  for (const grader::task& t : grader::all_tasks()) {
    const std::string text = text_of(t.folder / "README.md");
    EXPECT_LT(std::ranges::count(text, '\n'), 90) << t.id;
    for (const grader::criterion& c : t.criteria) {
      const std::string row = "| " + std::to_string(static_cast<int>(c.points)) + (c.required ? ", required |" : " |");
      EXPECT_NE(text.find(row), std::string::npos) << t.id << ", " << c.id << ": " << row;
    }
    EXPECT_NE(text.find("./gridstride grade " + t.id + " my/"), std::string::npos) << t.id;
  }
}

TEST(tasks, an_unknown_one_has_no_problem) {
  try {
    grader::problem_of("A9");
    FAIL();
  } catch (const gs::error& e) {
    EXPECT_STREQ(e.what(),
                 "the problem of task A9: this program has those of A1, A2, A3, A4, A5; build the grader again, after "
                 "writing the "
                 "task's problem.cpp");
  }
}

}  // namespace tasks_test
