// A new course: the files that are written, and where it is refused.

#include "tests/courses/new_course.h"

#include "courses/exercise_findings.h"
#include "courses/file_findings.h"
#include "workbook/course_file.h"

using courses_test::new_course;
namespace fs = std::filesystem;

TEST_F(new_course, has_the_name_of_its_folder_and_all_its_files) {
  EXPECT_EQ(workbook::read_course_file(course).name, "waves");
  EXPECT_EQ(workbook::parts_of(course).size(), 1u);
  EXPECT_TRUE(text_of(course / "README.md").starts_with("# waves\n"));
  EXPECT_EQ(text_of(course / ".gitignore"), "build/\nmy/\n");
  EXPECT_EQ(to_string(courses::file_findings(course)), "");
  for (const auto& entry : fs::recursive_directory_iterator(course))
    if (entry.is_regular_file()) {
      EXPECT_EQ(text_of(entry.path()).find("@NAME@"), std::string::npos) << entry.path();
    }
}

TEST_F(new_course, is_written_into_an_empty_folder_too) {
  fs::create_directory(place / "empty");
  EXPECT_EQ(error_of_new(place / "empty/"), "no error");
  EXPECT_EQ(workbook::read_course_file(place / "empty").name, "empty");
}

TEST_F(new_course, is_written_over_nothing) {
  const auto request = [&](const std::string& name) { return "course new " + (place / name).string() + ": "; };
  EXPECT_EQ(error_of_new(course),
            request("waves") + "the folder is there, and isn't empty; choose another one, or empty it");
  std::ofstream(place / "file") << "\n";
  EXPECT_EQ(error_of_new(place / "file"), request("file") + "there is a file of that name; choose another folder");
  EXPECT_EQ(error_of_new(place / "a\"b"),
            request("a\"b") + "the folder's name can't be a course's; take letters and digits, as in ~/waves");
  EXPECT_FALSE(fs::exists(place / "a\"b"));
  EXPECT_NE(error_of_new(place / "file/course"), "no error");
}

TEST_F(new_course, has_a_sound_exercise) { EXPECT_EQ(to_string(courses::exercise_findings(exercise())), ""); }
