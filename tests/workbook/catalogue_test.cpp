// The catalogue: parts, titles, and how a lesson is looked up.

#include "workbook/catalogue.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "runtime/core/error.h"
#include "tests/temporary_folder.h"
#include "workbook/command_name.h"

namespace {

namespace fs = std::filesystem;

class catalogue : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(root / "course.json") << R"({"name": "Waves", "gridstride": "1.0", "parts": [
      {"number": 0, "title": "Before", "first": 0, "last": 0},
      {"number": 1, "title": "Universal functions", "first": 1, "last": 12}]})";
    add("01_hypot", true);
    add("06_gaussian_pdf", false);
    add("99_mine", false);
    fs::create_directories(root / "lessons/13_first_kernel");  // a folder without a program is no lesson
    fs::create_directories(root / "lessons/notes");
  }

  void add(const std::string& name, bool built) {
    fs::create_directories(root / "lessons" / name);
    std::ofstream(root / "lessons" / name / "lesson.cpp") << "\n";
    fs::create_directories(root / "programs");
    if (built) std::ofstream(root / "programs" / name) << "\n";
  }
  std::vector<workbook::course_part> read_course() const {
    return workbook::read_catalogue(root / "lessons", root / "programs");
  }
  std::string error_of(const std::string& text) const {
    try {
      const auto course = read_course();
      workbook::find_lesson(course, text);
    } catch (const gs::error& e) {
      return e.what();
    }
    return "no error";
  }

  const gridstride_test::temporary_folder root;
};

TEST_F(catalogue, lists_the_folders_by_part) {
  const auto course = read_course();
  ASSERT_EQ(course.size(), 2u) << "parts without lessons are left out";
  EXPECT_EQ(course[0].number, 1);
  EXPECT_EQ(course[0].title, "Universal functions");
  ASSERT_EQ(course[0].lessons.size(), 2u);
  EXPECT_EQ(course[0].lessons[0].program(), "01_hypot");
  EXPECT_TRUE(course[0].lessons[0].built);
  EXPECT_EQ(course[0].lessons[1].program(), "06_gaussian_pdf");
  EXPECT_FALSE(course[0].lessons[1].built);
  EXPECT_EQ(course[1].title, "Other lessons");
  ASSERT_EQ(course[1].lessons.size(), 1u);
  EXPECT_EQ(course[1].lessons[0].program(), "99_mine");
}

TEST_F(catalogue, has_no_parts_without_a_folder) {
  EXPECT_TRUE(workbook::read_catalogue(root / "nowhere", root / "nowhere").empty());
}

TEST_F(catalogue, has_one_part_without_a_course_file) {
  fs::remove(root / "course.json");
  const auto course = read_course();
  ASSERT_EQ(course.size(), 1u);
  EXPECT_EQ(course[0].title, "Lessons");
  EXPECT_EQ(course[0].number, 0);
  EXPECT_EQ(course[0].lessons.size(), 3u);
}

TEST_F(catalogue, says_what_is_wrong_with_a_course_file) {
  const auto message_for = [&](const std::string& text) {
    std::ofstream(root / "course.json") << text;
    return error_of("1");
  };
  const std::string begin = "reading " + (root / "course.json").string() + ": ",
                    end = R"(; write {"name": "Waves", "gridstride": "1.0"})";
  for (const auto& [text, mistake] :
       {std::pair{R"({"name": "", "gridstride": "1.0"})", "the name is empty"},
        {R"({"name": "Waves", "gridstride": "new"})", R"("gridstride" is "new", which is no version)"},
        {R"({"name": "Waves", "gridstride": "1.0", "parts": [{"number": -1}]})",
         R"(a part's "number" is no number from 0 to 99)"},
        {R"({"name": "Waves", "gridstride": "1.0.0.0"})", R"("gridstride" is "1.0.0.0", which is no version)"}})
    EXPECT_EQ(message_for(text), begin + mistake + end);
  for (const auto& [text, mistake] :
       {std::pair{"", ""},
        {"[]", ""},
        {R"({"gridstride": "1.0"})", "key 'name' not found"},
        {R"({"name": "Waves"})", "key 'gridstride' not found"},
        {R"({"name": "Waves", "gridstride": 1})", "type must be string"},
        {R"({"name": "Waves", "gridstride": "1.0", "parts": [{"number": 1}]})", "not found"},
        {R"({"name": "Waves", "gridstride": "1.0", "parts": [{"number": 0.5}]})", "no number"}}) {
    const std::string message = message_for(text);
    EXPECT_TRUE(message.starts_with(begin)) << message;
    EXPECT_NE(message.find(mistake), message.npos) << message;
    EXPECT_TRUE(message.ends_with(end)) << message;
  }
}

TEST(course_folder, is_the_checkout_or_what_the_environment_says) {
  unsetenv("GRIDSTRIDE_COURSE");
  setenv("GRIDSTRIDE_ROOT", "/checkout", 1);
  EXPECT_EQ(workbook::course_root(), "/checkout");
  EXPECT_EQ(workbook::course_build("/checkout/build/release"), "/checkout/build/release");
  EXPECT_EQ(workbook::course_build("/elsewhere"), "/elsewhere");
  setenv("GRIDSTRIDE_COURSE", "/waves", 1);
  EXPECT_EQ(workbook::course_root(), "/waves");
  EXPECT_EQ(workbook::checkout_root(), "/checkout");
  EXPECT_EQ(workbook::course_build("/checkout/build/checked"), "/waves/build/checked");
  setenv("GRIDSTRIDE_COURSE", "", 1);
  EXPECT_EQ(workbook::course_root(), "/checkout");
  unsetenv("GRIDSTRIDE_COURSE");
  unsetenv("GRIDSTRIDE_ROOT");
}

TEST(path_from_here, is_relative_below_this_folder_alone) {
  const std::filesystem::path here = std::filesystem::current_path();
  EXPECT_EQ(workbook::path_from_here("my/wave.cpp"), "my/wave.cpp");
  EXPECT_EQ(workbook::path_from_here(here / "my/../wave.cpp"), "wave.cpp");
  EXPECT_EQ(workbook::path_from_here(here.parent_path() / "wave.cpp"), here.parent_path() / "wave.cpp");
  EXPECT_EQ(workbook::path_from_here("../wave.cpp"), here.parent_path() / "wave.cpp");
}

TEST(command_name, of_a_course_names_its_folder_as_a_shell_reads_it) {
  const auto name_in = [](const char* course) {
    setenv("GRIDSTRIDE_COURSE", course, 1);
    return workbook::course_command_name();
  };
  unsetenv("GRIDSTRIDE_COURSE");
  unsetenv("GRIDSTRIDE_COMMAND");
  EXPECT_EQ(workbook::course_command_name(), "./gridstride");
  EXPECT_EQ(name_in(""), "./gridstride");
  EXPECT_EQ(name_in("/home/ann/waves-2.0"), "./gridstride --course /home/ann/waves-2.0");
  EXPECT_EQ(name_in("/home/ann/my waves"), "./gridstride --course '/home/ann/my waves'");
  EXPECT_EQ(name_in("/Ann's/$(waves)"), "./gridstride --course '/Ann'\\''s/$(waves)'");
  setenv("GRIDSTRIDE_COMMAND", "gridstride", 1);
  EXPECT_EQ(name_in("/waves"), "gridstride --course /waves");
  EXPECT_EQ(workbook::command_name(), "gridstride");
  unsetenv("GRIDSTRIDE_COMMAND");
  unsetenv("GRIDSTRIDE_COURSE");
}

TEST_F(catalogue, takes_titles_from_the_programs) {
  std::ofstream(root / "lessons/01_hypot/lesson.cpp") << R"(
    report.plot(workbook::xy_plot{.title = "A plot"});
    workbook::lesson workbook::this_lesson() {
      return {.number = 1, .name = "hypot", .title = "A function, compiled and timed", .summary = "..."};
    })";
  std::ofstream(root / "lessons/06_gaussian_pdf/lesson.cpp") << R"(this_lesson() { return {.title = "without an end)";
  const auto course = read_course();
  EXPECT_EQ(find_lesson(course, "1").title, "A function, compiled and timed");
  EXPECT_EQ(find_lesson(course, "6").title, "gaussian_pdf");
  EXPECT_EQ(find_lesson(course, "99").title, "mine");
}

TEST_F(catalogue, sees_which_lessons_have_exercises) {
  std::ofstream(root / "lessons/01_hypot/checks.cpp") << "\n";
  fs::create_directories(root / "lessons/99_mine/warm_up");
  std::ofstream(root / "lessons/99_mine/warm_up/checks.cpp") << "\n";
  std::ofstream(root / "lessons/99_mine/checks.cpp") << "\n";
  const auto course = read_course();
  const auto& one = find_lesson(course, "1").exercises;
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].label(), "01_hypot");
  EXPECT_EQ(one[0].folder(), "01_hypot");
  EXPECT_TRUE(find_lesson(course, "6").exercises.empty());
  const auto& two = find_lesson(course, "99").exercises;
  ASSERT_EQ(two.size(), 2u) << "the warm-up comes first";
  EXPECT_EQ(two[0].label(), "99w_mine");
  EXPECT_EQ(two[0].folder(), "99_mine/warm_up");
  EXPECT_EQ(two[1].label(), "99_mine");
}

TEST_F(catalogue, finds_the_lesson_that_is_meant) {
  const auto course = read_course();
  for (const char* text : {"6", "06", "006", "gaussian_pdf", "06_gaussian_pdf"})
    EXPECT_EQ(find_lesson(course, text).program(), "06_gaussian_pdf") << text;
  EXPECT_EQ(find_lesson(course, "mine").number, 99);
}

TEST_F(catalogue, says_which_lessons_there_are) {
  const std::string choice = "choose one of 01_hypot, 06_gaussian_pdf, 99_mine";
  for (const std::string text : {"7x", "", "-6", "gauss", "100", "13"})
    EXPECT_EQ(error_of(text), "lesson '" + text + "': there is none of that number or name; " + choice);
}

TEST_F(catalogue, refuses_an_ambiguous_number) {
  add("06_other", false);
  EXPECT_EQ(error_of("6"), "lesson '6': 06_gaussian_pdf and 06_other are both meant; give the full name");
  EXPECT_EQ(error_of("06_other"), "no error");
}

}  // namespace
