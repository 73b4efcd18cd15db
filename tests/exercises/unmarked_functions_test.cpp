// Functions that run on the device without GS_FN, found in the text of a file.

#include "exercises/unmarked_functions.h"

#include "tests/exercises/small_course.h"

namespace {

using exercises_test::small_course, exercises_test::text_of;
namespace fs = std::filesystem;

// "helper:3 from kernel:7, kernel:6"
std::string found_in(const std::string& source, const std::vector<std::string>& users = {}) {
  std::string text;
  for (const auto& f : exercises::unmarked_functions(source, users)) {
    text += (text.empty() ? "" : ", ") + f.name + ":" + std::to_string(f.line);
    if (!f.caller.empty()) text += " from " + f.caller + ":" + std::to_string(f.called_at);
  }
  return text;
}

}  // namespace

TEST(unmarked_functions, are_kernels_and_what_they_call) {
  EXPECT_EQ(found_in(""), "");
  EXPECT_EQ(found_in("float f(float x) { return x; }\nfloat g(float x) { return f(x); }\n"), "");
  EXPECT_EQ(found_in("float f(float x) { return x; }\nGS_FN float g(float x) {\n  return f(x); }\n"), "f:1 from g:3");
  EXPECT_EQ(found_in("void k(gs::thread t, gs::view<float> x) { x[t.grid()] = 1; }\n"), "k:1");
  EXPECT_EQ(found_in("template <unsigned n>\nvoid k(gs::block<n> block) {}\n"), "k:2");
  EXPECT_EQ(found_in("float a(float x) { return x; }\nfloat b(float x) { return a(x); }\n"
                     "GS_FN float c(float x) { return b(a(x)); }\n"),
            "a:1 from c:3, b:2 from c:3");
  const auto at = exercises::unmarked_functions(
      "namespace n {\n  static float f() { return 1; }\n}\n"
      "GS_FN float g() { return n::f(); }\n");
  ASSERT_EQ(at.size(), 1u);
  EXPECT_EQ(at[0].column, 16u);
}

TEST(unmarked_functions, are_those_that_become_ufuncs_or_are_launched) {
  const std::string source = "float f(float x) { return x; }\nlong g(long x) { return x; }\n";
  EXPECT_EQ(found_in(source), "");
  EXPECT_EQ(found_in(source + "inline constexpr auto u = gs::vectorize<f>;\n"), "f:1");
  EXPECT_EQ(found_in(source + "auto u = gs::guvectorize<f, \"(i)->()\", g>;\n"), "f:1, g:2");
  EXPECT_EQ(found_in(source, {"void check() { gs::launch<g>({.grid = 2}, x); }"}), "g:2");
}

TEST(unmarked_functions, are_members_too) {
  const std::string point =
      "struct point {\n  point() : x{1}, y(2) {}\n  point(const point&) = default;\n"
      "  float length() const { return x; }\n  GS_FN float width() const { return y; }\n  float x, y;\n};\n";
  EXPECT_EQ(found_in(point + "GS_FN float f(const point& p) { return p.length(); }\n"), "length:4 from f:8");
  EXPECT_EQ(found_in(point + "GS_FN float f(gs::view<const point> all) { return all[0].length(); }\n"),
            "length:4 from f:8");
  EXPECT_EQ(found_in(point + "GS_FN float f(const point& p) { return p.width(); }\n"), "");
  EXPECT_EQ(found_in(point + "GS_FN float f(const other& p, point q) { return p.length() + q.x; }\n"), "");
  EXPECT_EQ(found_in("struct a {\n  float f() { return 1; }\n  GS_FN float g() { return f() + this->f(); }\n};\n"),
            "f:2 from g:3");
}

TEST(unmarked_functions, are_not_those_that_need_no_mark_or_are_something_else) {
  const std::string host = "float f(float x) { return x; }\n";
  for (const std::string& text : std::vector<std::string>{
           "constexpr float f(float x) { return x; }\nGS_FN float g() { return f(1); }\n",
           "GS_FN float f(float x);\nfloat f(float x) { return x; }\nGS_FN float g() { return f(1); }\n",
           "#define BOTH inline \\\n  GS_FN\nBOTH float f(float x) { return x; }\nGS_FN float g() { return f(1); }\n",
           "float f(int x) { return 1; }\nGS_FN float f(float x) { return x; }\nGS_FN float g() { return f(1); }\n"})
    EXPECT_EQ(found_in(text), "") << text;
  for (const std::string& text : std::vector<std::string>{
           "GS_FN float g(float f) { return f; }\n", "GS_FN float g() { const float f = 1; return f; }\n",
           "GS_FN float g(gs::view<float> f) { return f[0]; }\n", "GS_FN float g(other x) { return x.f(1); }\n",
           "GS_FN float g() { return std::f(1); }\n", "GS_FN float g() { return 1; /* f(1) */ }  // f(1)\n",
           "GS_FN float g() { print(\"f(1) }\"); print(R\"x(} f( \")x\"); return '}'; }\n",
           "#define NO f(1)\nGS_FN float g() { return 1; }\n", "float x[] = {f(1)}, y{f(2)};\nGS_FN float g();\n",
           "constexpr auto l = [](float x) { return f(x); };\n"})
    EXPECT_EQ(found_in(host + text), "") << text;
}

TEST(unmarked_functions, are_none_in_the_course) {
  std::size_t files = 0;
  for (const fs::path& folder : {fs::path(WRONG_SOLUTIONS) / "../../lessons", fs::path(WRONG_SOLUTIONS)})
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".cpp" || entry.path().filename().string().ends_with("_test.cpp")) continue;
      ++files;
      EXPECT_EQ(found_in(text_of(entry.path())), "") << entry.path();
    }
  EXPECT_GT(files, 100u);
}

TEST_F(small_course, a_forgotten_mark_is_a_compile_error) {
  std::string text = solution(90);
  const std::string mark = "GS_FN void count_above";
  ASSERT_NE(text.find(mark), text.npos);
  const auto r = check(90, text.replace(text.find(mark), 6, ""));
  EXPECT_EQ(r.outcome, exercises::outcome::compile_error);
  EXPECT_EQ(r.text, "‘count_above’ runs on the device and isn't marked GS_FN");
  EXPECT_NE(r.advice.find("write GS_FN before the type that it returns"), std::string::npos);
  EXPECT_EQ(r.where.file, exercises::shown_path(my / "mine.cpp"));
  EXPECT_NE(r.messages.find(r.where.file + ":" + std::to_string(r.where.line) + ":6: error: "), std::string::npos);
  EXPECT_NE(r.messages.find(" | void count_above("), std::string::npos) << r.messages;
  EXPECT_NE(r.messages.find("\n      |      ^\n"), std::string::npos) << r.messages;
}
