// Functions that run on the device without GS_FN, found in the text of a file.

#include "exercises/explain/unmarked_functions.h"

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

// Members of a point; and what a function on the device does with points a and b, a view of them, all, and a number v.
std::string used_in(const std::string& members, const std::string& body, const std::string& behind = "") {
  return found_in("struct point {\n" + members + "\n  float x, y; };\n" + behind +
                  "\nGS_FN float f(point a, const point& b, gs::view<point> all, float v) {\n" + body + "\n}\n");
}

TEST(unmarked_functions, are_constructors_and_destructors) {
  for (const char* body :
       {"point p; return p.x;", "point p, q;", "point p[3];", "return point().x;", "return point{}.x;"})
    EXPECT_EQ(used_in("point() : x(0), y{1} {}", body), "point:2 from f:6") << body;
  for (const char* body : {"point p(1, v);", "const point p{1, f(v, 2)};", "return point(1, v).x;"})
    EXPECT_EQ(used_in("GS_FN point() {} point(float x, float y = 0, int z = 1) : x(x) {}", body), "point:2 from f:6")
        << body;
  for (const char* body : {"point p(v);", "point p(2 * v + 1);", "return point{3}.x;"})
    EXPECT_EQ(used_in("explicit point(float x) : x(x) {}", body), "point:2 from f:6") << body;
  EXPECT_EQ(used_in("GS_FN point(); ~point() {}", "point p;"), "~point:2 from f:6");
  EXPECT_EQ(used_in("point(int n);", "point p(1);", "point::point(int n) : x(n) {}"), "point:2 from f:6");
  EXPECT_EQ(used_in("GS_FN point(float v) : x(g(v)) {} static float g(float v) { return v; }", ""), "g:2 from point:2");
}

TEST(unmarked_functions, are_operators) {
  const std::string plus = "point operator+(const point& o) const { return o; }";
  for (const char* body :
       {"return (a + b).x;", "all[0] + b;", "const auto p = all[1]; p + b;", "auto p = point{1, v}; p + b;",
        "for (const auto& p : all) p + b;", "point(1, 2) + b;", "v * v; a + b;"})
    EXPECT_EQ(used_in(plus, body), "operator+:2 from f:6") << body;
  EXPECT_EQ(used_in("point operator-() const { return *this; }", "return (-a).x;"), "operator-:2 from f:6");
  EXPECT_EQ(used_in("float operator[](int k) const { return x; }", "return b[1];"), "operator[]:2 from f:6");
  EXPECT_EQ(used_in("float operator()(float t) { return t; }", "return a(v);"), "operator():2 from f:6");
  EXPECT_EQ(used_in("point& operator+=(const point& o) { return *this; }", "all[0] += b;"), "operator+=:2 from f:6");
  EXPECT_EQ(used_in("point& operator++() { return *this; }", "++a;"), "operator++:2 from f:6");
  EXPECT_EQ(used_in("friend bool operator<(const point& p, const point& q) { return p.x < q.x; }", "return a < b;"),
            "operator<:2 from f:6");
  EXPECT_EQ(used_in("", "return (2 * b).x;", "point operator*(float s, const point& p) { return p; }"),
            "operator*:4 from f:6");
  EXPECT_EQ(used_in("", "return (middle(a) * v).x;",
                    "point operator*(const point& p, float s) { return p; } GS_FN point middle(point p) { return p; }"),
            "operator*:4 from f:6");
  EXPECT_EQ(used_in("", "", plus + " struct pair { point p, q; GS_FN float g() const { return (p + this->q).x; } };"),
            "");  // an operator of its own is none of the point's
  EXPECT_EQ(used_in(plus, "", "struct pair { point p, q; GS_FN float g() const { return (p + q).x; } };"),
            "operator+:2 from g:4");
}

TEST(unmarked_functions, are_conversions) {
  for (const char* body : {"return a;", "float w = all[2];", "float w(b);", "v = static_cast<float>(a);",
                           "v = float(a);", "v = 2 * a;", "v = b - 1;", "v = a < v;"})
    EXPECT_EQ(used_in("operator float() const { return x; }", body), "operator float:2 from f:6") << body;
  EXPECT_EQ(used_in("explicit operator bool() const { return x > 0; }", "if (a) return 1;"),
            "operator bool:2 from f:6");
}

TEST(unmarked_functions, are_lambdas_outside_of_functions) {
  const std::string lambda = "constexpr auto square = [](float x) { return x * x; };\n";
  EXPECT_EQ(found_in(lambda + "float f(float x) { return square(x); }\n"), "");
  EXPECT_EQ(found_in(lambda + "GS_FN float f(float x) { return square(x); }\n"), "square:1 from f:2");
  EXPECT_EQ(found_in("namespace n {\nconst auto l = [] { return g(); };\n}\nint g() { return 1; }\n"
                     "GS_FN int f() { return n::l(); }\n"),
            "l:2 from f:5, g:4 from l:2");
  EXPECT_EQ(
      found_in("GS_FN float f(float x) {\n  auto square = [](float y) { return y * y; };\n  return square(x); }\n"),
      "");
  EXPECT_TRUE(exercises::unmarked_functions(lambda + "GS_FN float f(float x) { return square(x); }").at(0).is_lambda);
}

TEST(unmarked_functions, are_not_calls_without_names_that_are_marked_or_something_else) {
  const std::string members =
      "point() {} point(float x, float y) {} ~point() {} float operator[](int k) const { return x; }\n"
      "operator float() const { return x; } point operator+(const point& o) const { return o; }";
  for (const char* body :
       {"return a.x + b.y;", "return all[0].x;", "return b.x < a.x ? -a.y : v;", "point* p = &all[0]; return p->x * v;",
        "return sizeof(point);", "gs::view<point> more = all;", "float w(a.x); return float(b.y);",
        "const point& p = b; return p.x;", "return other(a) + v;", "gs::atomic_ref(all[v].x).fetch_add(a.x);",
        "{ float a = v; return a + a; }", "all[0] = b;", "static_cast<float>(a.x);", "if (a.x) return v;",
        "return b.x;"})
    EXPECT_EQ(used_in(members, body), "") << body;
  EXPECT_EQ(used_in("point(float v) {}", "point p(b), q(all[0]), r = a; point s{other(v)}; return p.x;"), "");
  EXPECT_EQ(used_in("", "point p{1, v}, q; return (p.x + q.x);"), "");
  EXPECT_EQ(used_in("point() = default; ~point() = default;", "point p;"), "");
  EXPECT_EQ(
      used_in("GS_FN point(); GS_FN operator float() const; constexpr point operator+(point o) const { return o; }",
              "point p; float w = p + a; return p;", "point::point() : x(1) {}"),
      "");
  EXPECT_EQ(
      used_in("point operator+(int n) { return *this; } GS_FN point operator+(const point& o) const { return o; }",
              "a + b;"),
      "");
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

TEST_F(small_course, a_lambda_of_the_hosts_is_one_too) {
  std::string text = solution(90);
  const std::string condition = "x[i] > limit", kernel = "GS_FN void count_above";
  text.replace(text.find(condition), condition.size(), "above(x[i], limit)");
  text.insert(text.find(kernel), "constexpr auto above = [](float v, float limit) { return v > limit; };\n");
  const auto r = check(90, text);
  EXPECT_EQ(r.outcome, exercises::outcome::compile_error);
  EXPECT_EQ(r.text, "‘above’ runs on the device and isn't a function");
  EXPECT_NE(r.advice.find("write it as a function that begins with GS_FN"), std::string::npos) << r.advice;
}
