// gridstride-course as it is called: statuses, lines, and what is wrong with a call.

#include "courses/program_run.h"
#include "tests/courses/new_course.h"

namespace {

using courses::run_program;
class course_command : public courses_test::new_course {};

TEST_F(course_command, writes_a_course_and_says_what_to_do_with_it) {
  const std::string folder = (place / "mine").string();
  const auto said = run_program({COURSE_PROGRAM, "new", folder});
  EXPECT_EQ(said.status, 0) << said.error;
  EXPECT_NE(said.output.find("./gridstride --course " + folder + " run 01\n"), std::string::npos) << said.output;
  const auto again = run_program({COURSE_PROGRAM, "new", folder});
  EXPECT_EQ(again.status, 2);
  EXPECT_EQ(again.error, "gridstride-course: course new " + folder +
                             ": the folder is there, and isn't empty; choose another one, or empty it\n");
}

TEST_F(course_command, prints_a_line_for_each_finding) {
  const auto fine = run_program({COURSE_PROGRAM, "check", course.string(), "--files"});
  EXPECT_EQ(fine.status, 0) << fine.error;
  EXPECT_EQ(fine.output, "");
  std::filesystem::remove(course / "lessons/01_squares/hints.md");
  std::filesystem::remove(course / "assessments/A1_cubes/entry.cpp");
  for (const char* option : {"--files", "check"}) {  // with findings in its files nothing is tried
    std::vector<std::string> command = {COURSE_PROGRAM, "check", course.string()};
    if (option == std::string("--files")) command.emplace_back(option);
    const auto found = run_program(command);
    EXPECT_EQ(found.status, 1) << found.error;
    EXPECT_EQ(found.output,
              "lessons/01_squares: it has no hints.md, its hints\n"
              "assessments/A1_cubes: it has no entry.cpp, how the runner calls a solution\n");
  }
}

TEST_F(course_command, refuses_what_is_no_course) {
  const auto error = [](const std::vector<std::string>& words) {
    std::vector<std::string> command = {COURSE_PROGRAM};
    command.insert(command.end(), words.begin(), words.end());
    const auto said = run_program(command);
    EXPECT_EQ(said.status, 2) << said.error;
    return said.error;
  };
  const std::string none = (place / "none").string();
  EXPECT_EQ(error({"check", none}),
            "gridstride-course: course check " + none + ": there is no such folder; check its name\n");
  EXPECT_NE(error({"check", place.path().string()}).find("course.json"), std::string::npos);
  EXPECT_NE(error({}).find("gridstride-course: A subcommand is required"), std::string::npos);
  EXPECT_NE(error({"new"}).find("DIR is required"), std::string::npos);
  EXPECT_NE(error({"check", course.string(), "--fast"}).find("--fast"), std::string::npos);
}

}  // namespace
