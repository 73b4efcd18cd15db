// A learner's file compiled by nvcc: its messages, and the checks' results. Without a GPU the checks run on the engine,
// from the same source.

#include "exercises/explain/nvcc_text.h"

#include "exercises/explain/compile_mistakes.h"
#include "tests/exercises/small_course.h"
#include "workshop/build_parts.h"

namespace {

using exercises::nvcc_as_gcc, exercises::outcome;
using exercises_test::small_course;
namespace fs = std::filesystem;

class compiled_by_nvcc : public small_course {
 protected:
  void SetUp() override {
    small_course::SetUp();
    const fs::path parts =
        workshop::build_folder(workshop::flavour::cuda) / "exercises/CMakeFiles/exercise_checker.dir";
    if (!exists(parts / "checker/checker_program.cpp.o"))
      GTEST_SKIP() << "the cuda preset's exercise_parts aren't built: there is nothing in " << parts;
  }
  exercises::exercise_result check(int number, const std::string& text, const std::string& name = "mine.cpp") const {
    return exercises::check_exercise(exercise(number), write(name, text), {.by_nvcc = true}).value();
  }
};

}  // namespace

TEST(nvcc_text, is_in_the_form_of_gccs) {
  const std::string messages =
      "/my/a b.cpp(2): error: identifier \"y\" is undefined\n  __attribute__((host)) float f() { return y; }\n"
      "                      ^\n\n/my/a b.cpp(1): warning #20011-D: calling a __host__ function\n\n"
      "Remark: The warnings can be suppressed\n\n2 errors detected in the compilation of \"checks.cpp\".\n";
  EXPECT_EQ(nvcc_as_gcc(messages, "/my/a b.cpp", "float g();\nGS_FN float f() { return y; }\n"),
            "/my/a b.cpp:2: error: identifier \"y\" is undefined\n    2 | GS_FN float f() { return y; }\n\n"
            "/my/a b.cpp:1: warning: calling a __host__ function\n    1 | float g();\n\n\n");
}

TEST(nvcc_text, of_a_header_begins_with_the_line_that_led_there) {
  EXPECT_EQ(nvcc_as_gcc("/runtime/launch.h(9): error #20014-D: no\n    return f(x);\n           ^\n"
                        "          detected during:\n"
                        "            instantiation of \"void g<f>()\" at line 7 of /runtime/launch.h\n"
                        "            instantiation of \"void h<f>()\" at line 3 of /my/mine.cpp\n",
                        "/my/mine.cpp", "1\n2\n3\n"),
            "/my/mine.cpp:3:   required from here\n/runtime/launch.h:9: error: no\n");
}

TEST(nvcc_text, has_advice_for_what_a_gpu_lacks) {
  const auto advice = [](const std::string& messages) {
    return exercises::advice_for(nvcc_as_gcc("/my/mine.cpp(1): error" + messages + "\n  x\n", "/my/mine.cpp", "x\n"),
                                 "mine.cpp");
  };
  EXPECT_NE(advice(" #20011-D: calling a __host__ function(\"f\") from a __device__ function").find("GS_FN"),
            std::string::npos);
  EXPECT_NE(advice(": identifier \"limit\" is undefined in device code").find("as an argument"), std::string::npos);
  EXPECT_NE(advice(": device code does not support exception handling").find("Nothing is thrown"), std::string::npos);
}

TEST(nvcc_text, leaves_what_isnt_nvccs) {
  for (const char* text : {"", "a.cpp:1:2: error: g++'s own\n    1 | x\n", "f(x): error: no line\n", "(): error: \n"})
    EXPECT_EQ(nvcc_as_gcc(text, "a.cpp", ""), text);
}

TEST_F(compiled_by_nvcc, a_solution_passes_and_says_where_it_ran) {
  const auto r = check(90, solution(90), "it's my \"$(file)\".cpp");
  EXPECT_EQ(r.outcome, outcome::passed) << r.text << r.messages;
  EXPECT_TRUE(r.to_the_end);
  EXPECT_EQ(r.checks.size(), 2u);
  EXPECT_TRUE(r.findings.empty());
  EXPECT_FALSE(r.device.empty());
}

TEST_F(compiled_by_nvcc, a_wrong_answer_fails_its_check) {
  const auto r = check(90, starter(90));
  EXPECT_EQ(r.outcome, outcome::check_failed) << r.text << r.messages;
  ASSERT_TRUE(r.first_failed_check());
  EXPECT_EQ(r.first_failed_check()->name, "above 3.5 of 1009");
}

// g++ takes it, and on a GPU there is no such function: nvcc would only warn.
TEST_F(compiled_by_nvcc, what_only_the_host_has_is_an_error_at_its_line) {
  std::string text = solution(90);
  const std::string atomic = "gs::atomic_ref(count[0]).fetch_add(1u)";
  text.replace(text.find(atomic), atomic.size(),
               "gs::atomic_ref(count[0]).fetch_add(std::to_string(i).empty() ? 0u : 1u)");
  const auto r = check(90, "#include <string>\n" + text);
  EXPECT_EQ(r.outcome, outcome::compile_error) << r.text;
  EXPECT_EQ(r.place, (gs::source_place{exercises::shown_path(my / "mine.cpp"), 10, 0})) << r.messages;
  EXPECT_NE(r.text.find("calling a __host__ function"), std::string::npos) << r.text;
  EXPECT_NE(r.messages.find("   10 |     if"), std::string::npos) << r.messages;
}
