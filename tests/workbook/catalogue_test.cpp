// The catalogue: what is planned, what is there, and which lesson is meant.

#include "workbook/catalogue.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "runtime/core/error.h"
#include "tests/temporary_folder.h"

namespace {

namespace fs = std::filesystem;

class catalogue : public testing::Test {
 protected:
  void SetUp() override {
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
  std::vector<workbook::course_part> read() const {
    return workbook::read_catalogue(root / "lessons", root / "programs");
  }
  std::string error_of(const std::string& text) const {
    try {
      const auto course = read();
      workbook::find_lesson(course, text);
    } catch (const gs::error& e) {
      return e.what();
    }
    return "no error";
  }

  const gridstride_test::temporary_folder root;
};

TEST_F(catalogue, knows_the_plan_and_what_is_there) {
  const auto course = read();
  ASSERT_GE(course.size(), 4u);
  int next = course[0].lessons[0].number;
  for (std::size_t part = 0; part + 1 < course.size(); ++part)
    for (const auto& entry : course[part].lessons) {
      EXPECT_EQ(entry.number, next++);
      EXPECT_FALSE(entry.title.empty());
      EXPECT_EQ(entry.state, entry.number == 1   ? workbook::lesson_state::built
                             : entry.number == 6 ? workbook::lesson_state::written
                                                 : workbook::lesson_state::planned);
    }
  EXPECT_EQ(next, 28);
  EXPECT_EQ(course.back().title, "Other lessons");
  EXPECT_EQ(course.back().lessons[0].program(), "99_mine");
}

TEST_F(catalogue, without_a_folder_is_all_planned) {
  for (const auto& part : workbook::read_catalogue(root / "nowhere", root / "nowhere"))
    for (const auto& entry : part.lessons) EXPECT_EQ(entry.state, workbook::lesson_state::planned);
}

TEST_F(catalogue, finds_the_lesson_that_is_meant) {
  const auto course = read();
  for (const char* text : {"6", "06", "006", "gaussian_pdf", "06_gaussian_pdf"})
    EXPECT_EQ(find_lesson(course, text).program(), "06_gaussian_pdf") << text;
  EXPECT_EQ(find_lesson(course, "mine").number, 99);
}

TEST_F(catalogue, says_which_lessons_there_are) {
  const std::string choice = "choose one of 01_hypot, 06_gaussian_pdf, 99_mine";
  for (const std::string text : {"7x", "", "-6", "gauss", "100"})
    EXPECT_EQ(error_of(text), "lesson '" + text + "': there is none of that number or name; " + choice);
  EXPECT_EQ(error_of("13"), "lesson '13': 13_first_kernel is planned but not written yet; " + choice);
}

TEST_F(catalogue, refuses_an_ambiguous_number) {
  add("06_other", false);
  EXPECT_EQ(error_of("6"), "lesson '6': 06_gaussian_pdf and 06_other are both meant; give the full name");
  EXPECT_EQ(error_of("06_other"), "no error");
  add("13_mine", false);
  EXPECT_EQ(error_of("13"), "no error");  // what is there goes before what is planned
}

}  // namespace
