#pragma once
// A new course in a temporary folder, which is the current course while the test runs.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "courses/new_course.h"
#include "runtime/core/error.h"
#include "tests/temporary_folder.h"
#include "workbook/exercise/next_exercise.h"

namespace courses_test {

namespace fs = std::filesystem;

class new_course : public testing::Test {
 protected:
  void SetUp() override {
    courses::write_new_course(course);
    setenv("GRIDSTRIDE_COURSE", course.c_str(), 1);
  }
  void TearDown() override { unsetenv("GRIDSTRIDE_COURSE"); }

  static std::string text_of(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories((course / file).parent_path());
    std::ofstream(course / file) << text;
  }
  /// Replaces a part of a file, which must be there.
  void replace(const fs::path& file, const std::string& part, const std::string& replacement) const {
    std::string text = text_of(course / file);
    const std::size_t place = text.find(part);
    ASSERT_NE(place, text.npos) << file << " doesn't have: " << part;
    write(file, text.replace(place, part.size(), replacement));
  }
  workbook::catalogue_exercise exercise() const {
    return workbook::find_exercise(workbook::read_catalogue(course / "lessons", "/nowhere"), "01");
  }
  static std::string error_of_new(const fs::path& folder) {
    try {
      courses::write_new_course(folder);
    } catch (const gs::error& e) {
      return e.what();
    }
    return "no error";
  }

  gridstride_test::temporary_folder place;
  fs::path course = place / "waves";
};

}  // namespace courses_test
