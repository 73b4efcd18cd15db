// The command line of gridstride-course: exit statuses, output, and refused usage.

#include "courses/program_run.h"
#include "tests/courses/new_course.h"

namespace {

using courses::run_program;
class course_command : public courses_test::new_course {};

TEST_F(course_command, writes_a_course_and_says_what_to_do_with_it) {
  const std::string folder = (place / "mine").string();
  const auto result = run_program({COURSE_PROGRAM, "new", folder});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_NE(result.output.find("./gridstride --course " + folder + " run 01\n"), std::string::npos) << result.output;
  const auto second = run_program({COURSE_PROGRAM, "new", folder});
  EXPECT_EQ(second.status, 2);
  EXPECT_EQ(second.error, "gridstride-course: course new " + folder +
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
    const auto result = run_program(command);
    EXPECT_EQ(result.status, 1) << result.error;
    EXPECT_EQ(result.output,
              "lessons/01_squares: it has no hints.md, its hints\n"
              "assessments/A1_cubes: it has no entry.cpp, how the runner calls a solution\n");
  }
}

TEST_F(course_command, refuses_what_is_no_course) {
  const auto error = [](const std::vector<std::string>& words) {
    std::vector<std::string> command = {COURSE_PROGRAM};
    command.insert(command.end(), words.begin(), words.end());
    const auto result = run_program(command);
    EXPECT_EQ(result.status, 2) << result.error;
    return result.error;
  };
  const std::string missing = (place / "none").string();
  EXPECT_EQ(error({"check", missing}),
            "gridstride-course: course check " + missing + ": there is no such folder; check its name\n");
  EXPECT_NE(error({"check", place.path().string()}).find("course.json"), std::string::npos);
  EXPECT_NE(error({}).find("gridstride-course: A subcommand is required"), std::string::npos);
  EXPECT_NE(error({"new"}).find("DIR is required"), std::string::npos);
  EXPECT_NE(error({"check", course.string(), "--fast"}).find("--fast"), std::string::npos);
}

}  // namespace
