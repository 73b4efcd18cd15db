// A new course, broken in one way at a time: the check reports that fault, and no other.

#include <functional>
#include <vector>

#include "courses/exercise_findings.h"
#include "courses/file_findings.h"
#include "tests/courses/new_course.h"
#include "tests/undeclared.h"

namespace {

namespace fs = std::filesystem;

const fs::path lesson = "lessons/01_squares", task = "assessments/A1_cubes", wrong = "tests/exercises/01_squares/wrong",
               solutions = "tests/assessments/A1_cubes";

class broken_course : public courses_test::new_course {
 protected:
  struct breakage {
    std::function<void()> work;
    std::string text;
  };
  std::function<void()> without(const fs::path& file) const {
    return [=, this] { EXPECT_GT(fs::remove_all(course / file), 0u) << file; };
  }
  std::function<void()> changed(const fs::path& file, const std::string& part, const std::string& replacement) const {
    return [=, this] { replace(file, part, replacement); };
  }
  /// Breaks a new course in each of these ways, one at a time.
  void expect_each(const std::vector<breakage>& breakages,
                   const std::function<std::vector<courses::finding>()>& findings) {
    for (const breakage& breakage_made : breakages) {
      fs::remove_all(course);
      courses::write_new_course(course);
      breakage_made.work();
      EXPECT_EQ(to_string(findings()), breakage_made.text + "\n");
    }
  }
};

TEST_F(broken_course, is_told_what_its_lesson_lacks) {
  expect_each(
      {
          {without("lessons"), "lessons: there is no lesson: make a folder such as 01_squares with a lesson.cpp"},
          {without("README.md"), "README.md: it is missing, the course's text"},
          {without(lesson / "README.md"), "lessons/01_squares: it has no README.md, the lesson's text"},
          {changed(lesson / "lesson.cpp", ".title = \"Squares\"", ".title = Squares"),
           "lessons/01_squares: its lesson.cpp has no .title = \"...\" in this_lesson()"},
          {changed(lesson / "README.md", "# 01 Squares", "# 1 Squares"),
           "lessons/01_squares: its text begins with '# 1 Squares', and its program's number and title make that '# 01 "
           "Squares'"},
          {changed(lesson / "README.md", "gridstride run 01", "gridstride run 011"),
           "lessons/01_squares: its text doesn't say how to run it: gridstride run 01"},
          {changed(lesson / "README.md", "**Remember**", "Note"),
           "lessons/01_squares: its text says nothing to remember: **Remember**"},
          {changed(lesson / "README.md", "**Try**", std::string(120, '\n') + "**Try**"),
           "lessons/01_squares: its text has 133 lines, and a reader has patience for 120"},
          {changed(lesson / "README.md", "**Try**", "![speed](speed.png) **Try**"),
           "lessons/01_squares: its text shows the picture speed.png, which isn't there"},
          {changed(lesson / "README.md", "**Try**", "[more](more.md) **Try**"),
           "lessons/01_squares: its text links to more.md, which isn't there"},
      },
      [&] {
        auto findings = courses::file_findings(course);
        // What isn't there can't have an exercise either.
        std::erase_if(findings, [](const courses::finding& f) { return f.place.starts_with("assessments"); });
        return findings;
      });
}

TEST_F(broken_course, is_told_that_two_lessons_have_one_number) {
  fs::copy(course / lesson, course / "lessons/01_cubes", fs::copy_options::recursive);
  const auto lessons = workbook::read_catalogue(course / "lessons", "/nowhere");
  EXPECT_EQ(to_string(courses::catalogue_findings(course, lessons)),
            "lessons: number 01 is shared by 01_cubes and 01_squares\n");
}

TEST_F(broken_course, is_told_what_its_exercise_lacks) {
  const std::string begin = "lessons/01_squares: ";
  expect_each(
      {
          {without(lesson / "exercise.cpp"), begin + "it has no exercise.cpp, what the learner starts from"},
          {without(lesson / "solution.cpp"), begin + "it has no solution.cpp, the exercise's solution"},
          {without(lesson / "hints.md"), begin + "it has no hints.md, its hints"},
          {changed(lesson / "hints.md", "## One element\n\nA square is the number times itself.", "## One element"),
           begin + "the hint 'One element': it has no text; write it, or take the heading out"},
          {changed(lesson / "exercise.cpp", "(void)i;", ""),
           begin + "its exercise.cpp isn't what the marks in solution.cpp make of it"},
          {without(wrong), begin + "it has no wrong solution in tests/exercises/01_squares/wrong"},
          {changed(wrong / "doubles.cpp", "// expect: -3 becomes 9\n", ""),
           begin + "its wrong solution doubles.cpp doesn't begin with what rejects it: // expect: REASON"},
      },
      [&] { return courses::file_findings(course); });
  write(lesson / "exercise.cpp", "#include <cmath>\n" + text_of(course / lesson / "exercise.cpp"));
  EXPECT_NE(to_string(courses::exercise_file_findings(course, exercise()))
                .find("its exercise.cpp and solution.cpp include different headers"),
            std::string::npos);
}

TEST_F(broken_course, is_told_what_its_assessment_lacks) {
  const std::string begin = "assessments/A1_cubes: ",
                    signature = "std::vector<float> cubes(std::span<const float> values);";
  expect_each(
      {
          {without(task / "README.md"),
           begin + "it has no README.md, the task's text\n" + begin +
               "its text doesn't say how to grade a solution: gridstride grade A1 my/cubes.cpp"},
          {without(task / "task.h"), begin + "it has no task.h, the function's declaration"},
          {without(task / "starter.cpp"), begin + "it has no starter.cpp, what a learner copies"},
          {without(task / "entry.cpp"), begin + "it has no entry.cpp, how the runner calls a solution"},
          {without(task / "problem.cpp"), begin + "it has no problem.cpp, its inputs and their reference"},
          {without(task / "task.json"), begin + "it has no task.json, its calls and criteria"},
          {changed(task / "task.json", "\"id\": \"A1\"", "\"id\": \"A2\""),
           begin + "its folder isn't named as its task.json says, A2_cubes\n" + begin +
               "its text doesn't say how to grade a solution: gridstride grade A2 my/cubes.cpp"},
          {changed(task / "task.json", "\"part\": 1,", ""),
           begin + "its task.json has no \"part\", the number of its part in course.json"},
          {changed(task / "task.json", "\"part\": 1", "\"part\": 2"),
           begin + "reading " + (course / task / "task.json").string() +
               ": part is 2, and course.json has no such part; give 1"},
          {changed(task / "task.h", "float> values", "float> numbers"),
           begin + "its task.h doesn't have the signature of its task.json, " + signature},
          {changed(task / "README.md", "float> values", "float> numbers"),
           begin + "its README.md doesn't have the signature of its task.json, " + signature},
          {changed(task / "task.json", "\"function\": \"cubes\"", "\"function\": \"cube\""),
           begin + "the signature in its task.json isn't that of a function cube"},
          {changed(task / "task.json", "\"kind\": \"device\",\n      \"points\": 0,\n      \"required\": true",
                   "\"kind\": \"speed\",\n      \"points\": 0,\n      \"at_least\": 1,\n      \"full\": 2"),
           begin + "it has no baseline.cpp, what a submission is timed against"},
          {changed(task / "README.md", "my/cubes.cpp`, and", "my/cubes.cpp` [so](so.md), and"),
           begin + "its text links to so.md, which isn't there"},
          {without(solutions / "right"), begin + "it has no right solution in tests/assessments/A1_cubes/right"},
          {without(solutions / "wrong"), begin + "it has no wrong solution in tests/assessments/A1_cubes/wrong"},
          {changed(solutions / "wrong/squares.cpp", "// expect: wrong_answer", "// wrong"),
           begin + "its wrong solution squares.cpp doesn't begin with what rejects it: // expect: REASON"},
      },
      [&] { return courses::file_findings(course); });
  fs::remove(course / "course.json");
  EXPECT_NE(to_string(courses::assessment_file_findings(course, "A1_cubes"))
                .find("part is 1, and course.json has no such part; add the course's parts there, or leave part out"),
            std::string::npos);
  replace(task / "task.json", "\"part\": 1,", "");
  EXPECT_EQ(to_string(courses::assessment_file_findings(course, "A1_cubes")).find("part"), std::string::npos);
  replace(task / "task.json", "\"version\": 1,", "");
  EXPECT_EQ(to_string(courses::assessment_file_findings(course, "A1_cubes")).find(begin), 0u);
}

TEST_F(broken_course, is_told_what_its_exercise_does) {
  const std::string begin = "lessons/01_squares: ";
  const fs::path solution = lesson / "solution.cpp", starter = lesson / "exercise.cpp";
  expect_each(
      {
          {changed(solution, "x[i] * x[i]", "x[i] + x[i]"),
           begin + "its solution doesn't pass: check failed, -3 becomes 9"},
          {changed(starter, "(void)i;", "x[i] = x[i] * x[i];"),
           begin + "its exercise.cpp passes before anybody has done anything"},
          {changed(starter, "(void)i;", "(void)j;"),
           begin + "its exercise.cpp doesn't compile: compile error, " + undeclared("j")},
          {changed(wrong / "doubles.cpp", "x[i] + x[i]", "x[i] * x[i]"),
           begin + "its wrong solution doubles.cpp passes"},
          {changed(wrong / "doubles.cpp", "-3 becomes 9", "race"),
           begin + "its wrong solution doubles.cpp isn't rejected for 'race', but: check failed, -3 becomes 9"},
      },
      [&] { return courses::exercise_findings(exercise()); });
  write(lesson / "checks.cpp",
        "#include \"workbook/exercise.h\"\n#include GRIDSTRIDE_EXERCISE\n"
        "workbook::exercise workbook::this_exercise() {\n"
        "  return {.number = 1, .name = \"squares\", .task = \"\", .check = [](workbook::report&) {}};\n}\n");
  EXPECT_NE(to_string(courses::exercise_findings(exercise())).find("its checks.cpp checks nothing"), std::string::npos);
}

}  // namespace
