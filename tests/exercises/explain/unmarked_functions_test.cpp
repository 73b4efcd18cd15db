// The messages about device functions without GS_FN. The plugin that finds them is tested in tests/compiler/marks.cpp.

#include <algorithm>

#include "exercises/check/compile_exercise.h"
#include "tests/exercises/small_course.h"
#include "workshop/build_parts.h"

namespace {

using exercises_test::small_course;

workshop::compilation_parts parts() {
  return workshop::read_parts(workshop::build_folder(workshop::flavour::checked) / "exercises/parts.json", "compile",
                              workshop::flavour::checked, "exercise_parts");
}

bool is_looked_for() { return exercises::left_out_by(parts()).empty(); }

}  // namespace

TEST_F(small_course, a_forgotten_mark_is_a_compile_error) {
  if (!is_looked_for()) GTEST_SKIP() << "g++ has no plugin here";
  std::string text = solution(90);
  const std::string mark = "GS_FN void count_above";
  ASSERT_NE(text.find(mark), text.npos);
  const auto r = check(90, text.replace(text.find(mark), 6, ""));
  EXPECT_EQ(r.outcome, exercises::outcome::compile_error);
  EXPECT_EQ(r.text, "‘count_above’ runs on the device and isn't marked GS_FN");
  EXPECT_NE(r.advice.find("write GS_FN before the type that it returns"), std::string::npos);
  EXPECT_EQ(r.place.file, exercises::shown_path(my / "mine.cpp"));
  EXPECT_NE(r.messages.find(r.place.file + ":" + std::to_string(r.place.line) + ":6: error: "), std::string::npos);
  EXPECT_NE(r.messages.find(" | void count_above("), std::string::npos) << r.messages;
  EXPECT_NE(r.messages.find("\n      |      ^~~~~~~~~~~\n"), std::string::npos) << r.messages;
  EXPECT_EQ(r.left_out, "");
}

TEST_F(small_course, a_mark_forgotten_at_what_a_kernel_calls_is_one_too_and_the_call_is_shown) {
  if (!is_looked_for()) GTEST_SKIP() << "g++ has no plugin here";
  std::string text = solution(90);
  const std::string condition = "x[i] > limit", kernel = "GS_FN void count_above";
  text.replace(text.find(condition), condition.size(), "above(x[i], limit)");
  text.insert(text.find(kernel), "bool above(float v, float limit) { return v > limit; }\n");
  const auto r = check(90, text);
  EXPECT_EQ(r.outcome, exercises::outcome::compile_error);
  EXPECT_EQ(r.text, "‘above’ runs on the device and isn't marked GS_FN");
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("above(x[i]")), '\n');
  EXPECT_NE(r.messages.find(r.place.file + ":" + std::to_string(line) + ":"), std::string::npos) << r.messages;
  EXPECT_NE(r.messages.find(": note: ‘count_above’ calls it, which runs there\n"), std::string::npos) << r.messages;
}

TEST_F(small_course, a_lambda_of_the_hosts_is_one_too) {
  if (!is_looked_for()) GTEST_SKIP() << "g++ has no plugin here";
  std::string text = solution(90);
  const std::string condition = "x[i] > limit", kernel = "GS_FN void count_above";
  text.replace(text.find(condition), condition.size(), "above(x[i], limit)");
  text.insert(text.find(kernel), "constexpr auto above = [](float v, float limit) { return v > limit; };\n");
  const auto r = check(90, text);
  EXPECT_EQ(r.outcome, exercises::outcome::compile_error);
  EXPECT_EQ(r.text, "‘above’ runs on the device and isn't a function");
  EXPECT_NE(r.advice.find("write it as a function that begins with GS_FN"), std::string::npos) << r.advice;
}

TEST(unmarked_functions, are_left_out_and_that_is_said_where_gcc_has_no_plugin) {
  workshop::compilation_parts parts_without_plugin = parts();
  std::erase_if(parts_without_plugin.flags, [](const std::string& flag) { return flag.starts_with("-fplugin="); });
  EXPECT_EQ(
      exercises::left_out_by(parts_without_plugin),
      "Functions that run on the device without GS_FN were not looked for: the plugin that finds them needs g++'s "
      "headers for plugins, './gridstride doctor' says which package has them.");
  parts_without_plugin.flags.push_back("-fplugin=/build/compiler/device_marks-0123.so");
  EXPECT_EQ(exercises::left_out_by(parts_without_plugin), "");
  parts_without_plugin.flags.clear();
  parts_without_plugin.flavour = workshop::flavour::cuda;  // nvcc finds them
  EXPECT_EQ(exercises::left_out_by(parts_without_plugin), "");
}
