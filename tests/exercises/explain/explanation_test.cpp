// The explanation of a lesson that doesn't build.

#include "exercises/explain/explanation.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/temporary_folder.h"

namespace {

class explanation : public testing::Test {
 protected:
  explanation() {
    std::filesystem::create_directories(lesson_.parent_path());
    std::ofstream(lesson_) << "GS_FN float twice(float x) { return 2 * x }\n"
                              "float half(float x) { return x / 2; }\n"
                              "constexpr auto halves = gs::vectorize<half>;\n";
  }
  // As Ninja prints it: the steps, the whole command of the one that failed, and its output.
  std::string build_output(const std::string& messages) const {
    return "[1/3] Building CXX object a.o\n[2/3] Building CXX object b.o\nFAILED: b.o \n/usr/bin/c++ -DLONG_COMMAND "
           "-c " +
           lesson_.string() + "\n" + messages + "ninja: build stopped: subcommand failed.\n";
  }
  gridstride_test::temporary_folder folder_;
  std::filesystem::path lesson_ = folder_.path() / "lessons/90_dots/lesson.cpp";
};

TEST_F(explanation, begins_with_the_advice_and_has_no_command) {
  const std::string text = exercises::explained_errors(
      build_output(
          lesson_.string() + ": In function ‘float twice(float)’:\n" + lesson_.string() +
          ":1:43: error: expected ‘;’ before ‘}’ token\n    1 | GS_FN float twice(float x) { return 2 * x }\n"),
      lesson_);
  EXPECT_EQ(text,
            "lessons/90_dots/lesson.cpp doesn't compile.\n\n"
            "Brackets or semicolons don't match up: look at the end of the line before, too.\n\n"
            "lessons/90_dots/lesson.cpp:1:43: error: expected ‘;’ before ‘}’ token\n"
            "    1 | GS_FN float twice(float x) { return 2 * x }\n");
}

TEST_F(explanation, of_an_assertion_of_the_runtime_leaves_out_what_follows) {
  const std::string text = exercises::explained_errors(
      build_output("In file included from runtime/gs.h:33:\n"
                   "runtime/ufunc/vectorize.h: In instantiation of ‘match() [with Given = {double}]’:\n" +
                   lesson_.string() +
                   ":3:9:   required from here\n"
                   "runtime/ufunc/vectorize.h:139:25: error: static assertion failed: no signature of this ufunc takes "
                   "exactly these element types\n"
                   "/usr/include/c++/12/tuple:1:1: error: static assertion failed: tuple index must be in range\n"),
      lesson_);
  EXPECT_NE(text.find("2.0 is a double, 2 an int, and nothing is converted silently"), text.npos) << text;
  EXPECT_NE(text.find("lessons/90_dots/lesson.cpp:3:9:   required from here"), text.npos) << text;
  EXPECT_EQ(text.find("tuple"), text.npos) << text;
}

TEST_F(explanation, of_the_linkers_errors) {
  const std::string text = exercises::explained_errors(
      build_output("mold: error: undefined symbol: thrice(float)\n>>> referenced by lesson.cpp:3\n"), lesson_);
  EXPECT_EQ(text,
            "lessons/90_dots/lesson.cpp compiles, but can't be linked.\n\n"
            "It is declared, and called, but nowhere defined: its body is missing.\n\n"
            "mold: error: undefined symbol: thrice(float)\n");
}

TEST_F(explanation, is_empty_where_the_error_is_elsewhere) {
  EXPECT_EQ(exercises::explained_errors(build_output("runtime/core/shape.cpp:3:9: error: expected ‘;’\n"), lesson_),
            "");
  EXPECT_EQ(exercises::explained_errors("", lesson_), "");
}

TEST_F(explanation, of_functions_without_their_mark) {
  const std::string messages =
      ":2:7: error: ‘half’ runs on the device and isn't marked GS_FN\n"
      "    2 | float half(float x) { return x / 2; }\n      |       ^~~~\n";
  EXPECT_EQ(exercises::explained_errors(build_output(lesson_.string() + messages), lesson_),
            "lessons/90_dots/lesson.cpp doesn't compile for a GPU.\n\n"
            "g++ alone doesn't mind, but a GPU has only the functions that are marked: write GS_FN before the\n"
            "type that it returns; where there is none, before the name.\n\n"
            "lessons/90_dots/lesson.cpp" +
                messages);
}

}  // namespace
