// A program that has a report, built for the viewer and drawn by it.

#include <dlfcn.h>

#include <algorithm>
#include <utility>

#include "runtime/core/error.h"
#include "tests/programs/written_programs.h"
#include "workbook/module.h"
#include "workshop/build_parts.h"

namespace {

using programs_test::ending, programs_test::expect_in, programs_test::text_of;

constexpr const char* report = R"(#include "runtime/gs.h"
#include "workbook/lesson.h"
#include "title.h"
const char* title();
void run(const workbook::parameters& given, workbook::report& report) {
  report.check_equal("the size", static_cast<long>(given.size()), 10);
}
workbook::lesson workbook::this_lesson() {
  return {.title = title(),
          .parameters = {workbook::integer{.name = "size", .text = "n", .min = 1, .max = 100, .default_value = DEFAULT}},
          .run = run};
}
)";

struct view_program : programs_test::written_programs {
  void SetUp() override {
    written_programs::SetUp();
    write("my wave/wave.cpp", report);
    write("my wave/title.cpp", "const char* title() { return \"Waves\"; }\n");
    write("my wave/title.h", "#define DEFAULT 10\n");
  }
};

// Width and height of a PNG file (PNG specification, 11.2.2); zeros if it is none.
std::pair<unsigned, unsigned> size_of_png(const std::string& bytes) {
  if (bytes.size() < 24 || bytes.substr(1, 3) != "PNG") return {};
  const auto number = [&](std::size_t at) {
    unsigned n = 0;
    for (std::size_t k = 0; k < 4; ++k) n = n << 8 | static_cast<unsigned char>(bytes[at + k]);
    return n;
  };
  return {number(16), number(20)};
}

// Two programs that have a function of the same name don't meet in the viewer.
void exports_its_entry_alone(const std::string& module) {
  void* loaded = dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(loaded, nullptr) << dlerror();
  EXPECT_NE(dlsym(loaded, "gridstride_lesson"), nullptr);
  EXPECT_EQ(dlsym(loaded, "_Z5titlev"), nullptr) << "const char* title()";
  dlclose(loaded);
}

}  // namespace

TEST_F(view_program, puts_program_and_module_into_the_viewers_folder) {
  ending e = run("view --into built 'my wave'");
  ASSERT_EQ(e.status, 0) << e.error;
  const std::string module = folder / "built/lessons/my wave.so";
  EXPECT_STREQ(workbook::lesson_module::open(module).lesson().title.c_str(), "Waves");
  exports_its_entry_alone(module);
  e = run_by(folder / "built/lessons/my wave", "");
  EXPECT_EQ(e.status, 0) << e.error;
  expect_in("my wave  Waves", e.out);
  write("my wave/title.h", "#define DEFAULT 11\n");
  ASSERT_EQ(run("view --into built 'my wave'").status, 0);
  EXPECT_EQ(run_by(folder / "built/lessons/my wave", "").status, 1) << "the new program, whose check fails";
}

TEST_F(view_program, is_drawn_without_a_window) {
  if (!std::filesystem::exists(workshop::build_folder(workshop::flavour::plain) / "viewer/gridstride-view"))
    GTEST_SKIP() << "there is no viewer in this build";
  const std::string files = "'my wave/wave.cpp' 'my wave/title.cpp'", small = " --size 900x600";
  const ending e = run("view " + files + small + " --render default.png");
  if (e.status == 3) GTEST_SKIP() << e.error;
  EXPECT_EQ(e.status, 0) << e.error;
  EXPECT_EQ(e.out + e.error, "");
  EXPECT_EQ(size_of_png(text_of(folder / "default.png")), std::pair(900u, 600u));
  EXPECT_EQ(run("view --set size=11 " + files + small + " --render eleven.png").status, 0);
  EXPECT_NE(text_of(folder / "default.png"), text_of(folder / "eleven.png")) << "its check fails then";
  EXPECT_EQ(run("view " + files + small + " --render again.png").status, 0);
}

TEST_F(view_program, says_what_is_wrong) {
  write("main.cpp", "int main() {}\n");
  write("none.cpp", "int f() { return 1; }\n");
  const std::pair<std::string, std::string> cases[] = {
      {"main.cpp",
       "gridstride: view main.cpp: it has a main, and view shows a report; include \"workbook/lesson.h\", "
       "and write, instead of main, void run(const workbook::parameters&, workbook::report& report)"},
      {"none.cpp", "compile none.cpp: it has no main; write int main(), or workbook::this_lesson()"},
      {"absent.cpp", "view absent.cpp: there is no such file"},
      {"main.cpp picture.png",
       "view picture.png: it is neither a C++ source nor an option of view; ./gridstride view --help shows the "
       "options"},
      {"", "view: no file is named"}};
  for (const auto& [words, text] : cases) {
    const ending e = run("view " + words);
    EXPECT_EQ(e.status, 2) << words;
    expect_in(text, e.error);
    EXPECT_EQ(std::ranges::count(e.error, '\n'), 1) << e.error;
    EXPECT_EQ(e.out, "");
  }
  write("wrong.cpp", "int main() { return unknown; }\n");
  ending e = run("view wrong.cpp");
  EXPECT_EQ(e.status, 1);
  expect_in("wrong.cpp doesn't compile.", e.error);
  e = run("view --into /proc 'my wave'");
  EXPECT_EQ(e.status, 3);
  expect_in("view my wave: /proc/lessons/my wave can't be written: ", e.error);
  expect_in("; make room there, or set TMPDIR to another folder\n", e.error);
}
