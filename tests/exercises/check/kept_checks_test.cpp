// Checks that are compiled apart from the learner's file: the declarations they see, and what makes them stale.

#include "exercises/check/kept_checks.h"

#include <sys/stat.h>

#include "exercises/check/declarations.h"
#include "tests/exercises/small_course.h"
#include "workshop/build_parts.h"

using exercises::declarations_of, exercises::outcome;

TEST(declarations_of, leave_out_what_functions_do) {
  EXPECT_EQ(
      declarations_of(
          "#include <vector>\n#include \"runtime/gs.h\"\nstruct pair {  // two\n  float a, b;\n};\n"
          "constexpr unsigned n = 4, m = n / 2;\n\n// Half of it.\n"
          "GS_FN float half(  float x) {\n  if (x > 0) { return x / 2; }\n  return 0;\n}\n"
          "inline constexpr auto halves = gs::vectorize<half>;\nusing floats = std::vector<float>;\n"
          "auto both(pair p) -> floats { return {p.a, p.b}; }\npair operator+(pair a, pair b) { return a; }\n"
          "namespace own {\nint one() { return 1; }\n}\nint two();\n"),
      "#include <vector>\n#include \"runtime/gs.h\"\nstruct pair { float a, b; };\n"
      "constexpr unsigned n = 4, m = n / 2;\nGS_FN float half( float x);\n"
      "inline constexpr auto halves = gs::vectorize<half>;\nusing floats = std::vector<float>;\n"
      "auto both(pair p) -> floats;\npair operator+(pair a, pair b);\nnamespace own {\nint one();\n}\nint two();\n");
  EXPECT_EQ(declarations_of(""), "");
}

TEST(declarations_of, keep_the_code_that_others_need_on_its_line) {
  const auto declarations = [](const std::string& code, const std::string& prefix = "") {
    EXPECT_EQ(declarations_of("\n" + code), "#line 2\n" + prefix + code + "\n");
  };
  declarations("template <class T> T twice(T x) { return x + x; }");
  declarations("int twice(auto x) { return x + x; }");
  declarations("constexpr int two() {\n  return 2;  // one and one\n}");
  declarations("inline int two() { return 2; }");
  declarations("static int two() { return 2; }");
  declarations("auto two() { return 2; }", "inline ");
  declarations("struct counter { int n = 0; int next() { return ++n; } };");
  declarations("constexpr auto two = [] { return 2; };");
}

TEST(declarations_of, say_nothing_where_it_could_be_another_program) {
  for (const char* text :
       {"int counter = 0;", "int f() { return 1; }\nint n = f();", "static int n;",
        "namespace { int one() { return 1; } }", "#define two 2\n", "#if 1\n#endif\n", "#include \"helper.h\"\n",
        "# include <vector>\n", "struct a { int n; } b;", "struct a { a(); };\na::a() {}",
        "template <class T> T f();\ntemplate <> int f<int>() { return 1; }", "extern int n;",
        "static int next() { static int n = 0; return ++n; }", "auto next() { static int n = 0; return ++n; }",
        "const std::vector<float> x;", "int f() { return 1;", "struct a { int n;",
        "extern \"C\" int f() { return 1; }"})
    EXPECT_FALSE(declarations_of(text)) << text << "\n" << *declarations_of(text);
}

TEST(can_be_compiled_apart, where_the_file_is_included_once_behind_headers) {
  const std::string include = "#include GRIDSTRIDE_EXERCISE\n";
  EXPECT_TRUE(
      exercises::can_be_compiled_apart("// Checks.\n\n#include \"workbook/exercise.h\"\n" + include + "int n;\n"));
  for (const std::string& checks :
       {std::string("int n;\n"), "int n;\n" + include, "namespace a {\n" + include + "}\n", include + include,
        include + "std::ifstream file(GRIDSTRIDE_EXERCISE);\n", "#define private public\n" + include})
    EXPECT_FALSE(exercises::can_be_compiled_apart(checks)) << checks;
}

namespace {

namespace fs = std::filesystem;

class kept_checks : public exercises_test::small_course {
 protected:
  kept_checks() {
    fs::create_directories(folder);
    for (const char* name : {"lesson.cpp", "solution.cpp", "exercise.cpp"}) std::ofstream(folder / name) << "// one\n";
    expect("42");
  }
  ~kept_checks() override {
    for (const fs::path& file : objects()) {
      fs::remove(file);
      fs::remove(fs::path(file).replace_extension(".of"));
    }
  }

  void expect(const std::string& answer) const {
    std::ofstream(folder / "checks.cpp")
        << "#include \"workbook/exercise.h\"\n#include GRIDSTRIDE_EXERCISE\n#include <map>\n"
           "workbook::exercise workbook::this_exercise() {\n"
           "  return {.number = 97, .name = \"apart\", .task = \"an answer\", .check = [](workbook::report& report) {\n"
           "            report.check_equal(\"answer(1)\", answer(1), " +
               answer + ");\n          }};\n}\n";
  }
  exercises::exercise_result check_answer(const std::string& text) const {
    setenv("GRIDSTRIDE_ROOT", my.c_str(), 1);
    const auto course = workbook::read_catalogue(my / "lessons", "/nowhere");
    return exercises::check_exercise(workbook::find_exercise(course, "97"), write("mine.cpp", text)).value();
  }
  std::vector<fs::path> objects() const {
    std::vector<fs::path> objects;
    const fs::path kept_folder = workshop::build_folder(workshop::flavour::checked) / "exercises/kept";
    if (fs::exists(kept_folder))
      for (const auto& entry : fs::directory_iterator(kept_folder))
        if (entry.path().filename().string().starts_with(name + "-") && entry.path().extension() == ".o")
          objects.push_back(entry.path());
    return objects;
  }
  static ino_t file_number(const fs::path& file) {
    struct stat s{};
    stat(file.c_str(), &s);
    return s.st_ino;
  }

  const std::string name = "97_apart_" + std::to_string(getpid());
  const fs::path folder = my / "lessons" / name;
};

}  // namespace

TEST_F(kept_checks, are_compiled_again_only_for_what_they_are_made_of) {
  const auto result = check_answer("int answer(int x) { return 41 + x; }\n");
  EXPECT_TRUE(result.passed()) << result.text << result.messages;
  ASSERT_EQ(objects().size(), 1u);
  const ino_t first = file_number(objects()[0]);

  // The function's body belongs to the file, on whichever lines it stands.
  EXPECT_EQ(check_answer("// Mine.\n\nint answer(int x) {\n  return x;\n}\n").outcome, outcome::check_failed);
  EXPECT_TRUE(check_answer("int answer(int x) { return x + 41; }\n").passed());
  ASSERT_EQ(objects().size(), 1u);
  EXPECT_EQ(file_number(objects()[0]), first);

  // What it takes is theirs, too.
  EXPECT_TRUE(check_answer("long answer(double x) { return 41 + long(x); }\n").passed());
  EXPECT_EQ(objects().size(), 2u);

  // And so is what they ask.
  expect("1042");
  EXPECT_EQ(check_answer("int answer(int x) { return 41 + x; }\n").outcome, outcome::check_failed);
  EXPECT_TRUE(check_answer("int answer(int x) { return 1041 + x; }\n").passed());
}

TEST_F(kept_checks, are_none_where_they_were_damaged) {
  const std::string text = "int answer(int x) { return 41 + x; }\n";
  EXPECT_TRUE(check_answer(text).passed());
  ASSERT_EQ(objects().size(), 1u);
  const auto whole = fs::file_size(objects()[0]);
  fs::resize_file(objects()[0], 100);
  EXPECT_TRUE(check_answer(text).passed());
  EXPECT_TRUE(check_answer(text).passed());
  EXPECT_EQ(fs::file_size(objects()[0]), whole);
}

TEST_F(kept_checks, give_way_to_checks_with_the_file_in_them) {
  EXPECT_TRUE(check_answer("int n = 41;\nint answer(int x) { return n + x; }\n").passed());
  EXPECT_TRUE(objects().empty());
  // It would be declared, and another file's.
  EXPECT_TRUE(check_answer("struct s { int n; };\nint answer(int x) { return x + 41; }\nint count(3);\n").passed());
  // What the checks make of it is wrong.
  const auto result = check_answer("void answer(int) {}\n");
  EXPECT_EQ(result.outcome, outcome::compile_error);
  EXPECT_NE(result.advice.find("keep its names"), std::string::npos) << result.advice << result.messages;
}

TEST_F(kept_checks, have_the_place_of_a_mistake_in_code_that_they_hold) {
  const auto result = check_answer(
      "#include <cstdlib>\n// A comment.\ntemplate <class T>\nint answer(T x) {\n  std::abort();\n  return x;\n}\n");
  EXPECT_EQ(result.outcome, outcome::crashed);
  EXPECT_EQ(result.place.line, 5u);
  EXPECT_EQ(result.place.file, exercises::shown_path(my / "mine.cpp"));
}
