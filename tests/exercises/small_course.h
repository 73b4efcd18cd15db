#pragma once
// A course of two exercises, 90_counter and 91_constant, and a learner's folder for a single test.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "exercises/check/check_exercise.h"
#include "tests/temporary_folder.h"
#include "workbook/exercise/next_exercise.h"

namespace exercises_test {

namespace fs = std::filesystem;

inline std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

class small_course : public testing::Test {
 protected:
  void SetUp() override {
    setenv("GRIDSTRIDE_ROOT", SMALL_COURSE, 1);
    setenv("GRIDSTRIDE_MY", my.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("GRIDSTRIDE_ROOT");
    unsetenv("GRIDSTRIDE_MY");
  }

  static workbook::catalogue_exercise exercise(int number) {
    return workbook::find_exercise(workbook::read_catalogue(fs::path(SMALL_COURSE) / "lessons", "/nowhere"),
                                   std::to_string(number));
  }
  static std::string starter(int number) {
    return text_of(fs::path(SMALL_COURSE) / "lessons" / exercise(number).folder() / "exercise.cpp");
  }
  static std::string solution(int number) {
    return text_of(fs::path(SMALL_COURSE) / "lessons" / exercise(number).folder() / "solution.cpp");
  }
  /// From here on the course is a copy of this one, in which 91's exercise is also the warm-up of a lesson.
  void add_warm_up(const std::string& lesson) const {
    const fs::path lessons = course_ / "lessons";
    fs::copy(fs::path(SMALL_COURSE) / "lessons", lessons, fs::copy_options::recursive);
    fs::copy(fs::path(SMALL_COURSE) / "lessons/91_constant", lessons / lesson / "warm_up");
    setenv("GRIDSTRIDE_ROOT", course_.path().c_str(), 1);
  }
  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(my / name) << text;
    return my / name;
  }
  /// The solution of 91 with something in place of its number.
  static std::string constant(const std::string& value) {
    return "#include <cstdlib>\n#include \"runtime/gs.h\"\n" + value + "\n";
  }
  exercises::exercise_result check(int number, const std::string& text, double seconds = 20) const {
    const auto result = exercises::check_exercise(exercise(number), write("mine.cpp", text), {.run_seconds = seconds});
    return result.value();
  }

  gridstride_test::temporary_folder learner_, course_;
  fs::path my = learner_.path();
};

}  // namespace exercises_test
