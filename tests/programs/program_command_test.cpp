// A user's own programs: written, run, inspected, and the messages for those that don't build.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "tests/programs/written_programs.h"
#include "workshop/build_parts.h"

namespace {

using programs_test::ending, programs_test::expect_in, programs_test::expect_not_in, programs_test::text_of;

struct program_command : programs_test::written_programs {};

// Inspected programs are compiled with the checked build's program_parts.
struct inspected_program : programs_test::written_programs {
  void SetUp() override {
    written_programs::SetUp();
    const auto parts = workshop::build_folder(workshop::flavour::checked) / "programs/parts.json";
    if (!std::filesystem::exists(parts)) GTEST_SKIP() << "the checked preset's program_parts aren't built: " << parts;
  }
};

// Thread 0 of every block writes what all the others do.
const std::string racing = R"(#include <cstdio>
#include <cstdlib>
#include "runtime/gs.h"

GS_FN void collide(gs::thread t, gs::view<int> x) {
  if (t.grid() < 64) x[0] = static_cast<int>(t.grid());
}

int main(int argc, char** argv) {
  gs::device_array<int> x(1);
  gs::launch<collide>({.grid = 1, .block = 64}, x);
  gs::synchronize();
  std::printf("%d arguments, the last is %s\n", argc - 1, argv[argc - 1]);
  std::exit(argc == 1 ? 0 : 5);
}
)";

}  // namespace

TEST_F(program_command, new_writes_a_program_that_runs) {
  const ending result = run("new 'my own/wave.cpp'");
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_EQ(result.out, "my own/wave.cpp is written. Run it: ./gridstride run 'my own/wave.cpp'\n");
  const ending ran = run("run 'my own/wave.cpp'");
  EXPECT_EQ(ran.status, 0) << ran.error;
  EXPECT_EQ(ran.out, "the wave is 1.000 high at 16\n");  // sin(1.6)
  EXPECT_EQ(ran.error, "");
}

TEST_F(program_command, new_leaves_alone_what_is_there) {
  write("wave.cpp", "mine\n");
  const ending e = run("new wave.cpp");
  EXPECT_EQ(e.status, 2);
  EXPECT_EQ(e.error, "gridstride: new wave.cpp: the file is there already; choose another name, or delete it\n");
  EXPECT_EQ(text_of(folder / "wave.cpp"), "mine\n");
  EXPECT_EQ(run("new wave.txt").status, 2);
  EXPECT_EQ(run("new").status, 2);
  EXPECT_EQ(run("new /proc/wave.cpp").status & 2, 2);
}

TEST_F(program_command, run_passes_on_arguments_input_folder_and_status) {
  write("sub/cat.cpp", R"(#include <cstdio>
#include <filesystem>
#include "word.h"
int main(int argc, char** argv) {
  std::printf("%s %s %s %s\n", argv[0], argv[1], WORD, std::filesystem::current_path().c_str());
  return argc + 40;
}
)");
  write("sub/word.h", "#define WORD \"beside\"\n");
  const ending e = run("run sub/cat.cpp --help");
  EXPECT_EQ(e.status, 42) << e.error;
  EXPECT_EQ(e.out, "cat --help beside " + folder.path().string() + "\n");
}

TEST_F(program_command, run_takes_several_files_or_a_folder) {
  write("m/main.cpp", "int f(); int main() { return f(); }\n");
  write("m/f.cpp", "int f() { return 9; }\n");
  EXPECT_EQ(run("run m").status, 9);
  EXPECT_EQ(run("run m/f.cpp m/main.cpp").status, 9);
  std::filesystem::create_symlink(folder / "m/main.cpp", folder / "link.cpp");
  EXPECT_EQ(run("run link.cpp m/f.cpp").status, 9);
}

TEST_F(program_command, run_says_what_is_wrong_with_files) {
  write("none.cpp", "int f() { return 1; }\n");
  write("one.cpp", "int main() {}\n");
  write("two.cpp", "int main() {}\n");
  write("folder/one.cpp", "int main() {}\n");
  write("folder/two.cpp", "int main() {}\n");
  write("bytes.cpp", std::string("int\0main", 8));
  write("control.cpp", "\x7f\x1b\x02 int main() {}\n");
  const std::pair<std::string, std::string> cases[] = {
      {"none.cpp", "compile none.cpp: it has no main; write int main(), or workbook::this_lesson()"},
      {"one.cpp two.cpp", "compile one.cpp: there are 2 mains, in one.cpp and two.cpp; leave all but one out"},
      {"folder", "there are 2 mains, in one.cpp and two.cpp; name the files of one program instead of the folder"},
      {"bytes.cpp", "read bytes.cpp: it holds bytes that no text has; name a C++ source"},
      {"control.cpp", "read control.cpp: it holds bytes that no text has; name a C++ source"},
      {"one.cpp folder/one.cpp", "two of the files are called one.cpp; rename one of them"},
      {"absent.cpp", "run absent.cpp: there is no such file"}};
  for (const auto& [files, text] : cases) {
    const ending e = run("run " + files);
    EXPECT_EQ(e.status, 2) << files;
    expect_in(text, e.error);
    EXPECT_EQ(std::ranges::count(e.error, '\n'), 1) << e.error;
    EXPECT_EQ(e.out, "");
  }
}

TEST_F(program_command, mistakes_get_the_advice_that_exercises_get) {
  write("wave.cpp",
        "#include \"runtime/gs.h\"\nint main() {\n  std::size_t n = 9;\n  gs::device_array<float> x({3, n});\n}\n");
  ending e = run("run wave.cpp");
  EXPECT_EQ(e.status, 1);
#if defined(__clang__)  // which words it otherwise than g++
  expect_in("wave.cpp doesn't compile.\n", e.error);
#else
  expect_in("wave.cpp doesn't compile.\n\nThe extents in the braces must be of one type", e.error);
#endif
  expect_in("wave.cpp:4:", e.error);
  write("linked.cpp", "int g();\nint main() { return g(); }\n");
  e = run("run linked.cpp");
  EXPECT_EQ(e.status, 1);
  expect_in("linked.cpp compiles, but can't be linked.\n\nIt is declared, and called, but nowhere defined", e.error);
}

TEST_F(program_command, cuda_cpp_under_another_name_is_told_its_own) {
#if defined(__clang__)
  GTEST_SKIP() << "clang words its errors otherwise than g++, and few of them are known";
#endif
  write("homework.cpp", "#include <cuda_of_no_toolkit.h>\nint main() {}\n");
  const ending e = run("run homework.cpp");
  EXPECT_EQ(e.status, 1);
  expect_in("CUDA C++ is compiled as such where the name of one of the sources ends in .cu: rename this one.", e.error);
}

TEST_F(program_command, a_function_without_its_mark_is_refused) {
#if defined(__clang__)
  GTEST_SKIP() << "clang has no plugin that looks for functions without GS_FN";
#endif
  write("wave.cpp", R"(#include "runtime/gs.h"
float half(float x) { return x / 2; }
GS_FN void halve(gs::thread t, gs::view<float> x) { x[t.grid()] = half(x[t.grid()]); }
int main() {
  gs::device_array<float> x(32);
  gs::launch<halve>({.grid = 1, .block = 32}, x);
  gs::synchronize();
}
)");
  const ending e = run("run wave.cpp");
  EXPECT_EQ(e.status, 1);
  expect_in("wave.cpp doesn't compile.\n\ng++ alone doesn't mind, but a GPU has only the functions that are marked",
            e.error);
  expect_in("wave.cpp:2:", e.error);
  expect_in("half", e.error);
}

TEST_F(program_command, a_kernel_is_split_at_its_barriers) {
  write("barrier.cpp", R"(#include <cstdio>
#include "runtime/gs.h"
GS_FN void turn(gs::thread t, gs::shared<gs::tile<float, 64>> s, gs::view<float> x) {
  (*s)(t.thread_idx().x) = x[t.thread_idx().x];
  t.sync();
  x[t.thread_idx().x] = (*s)(63 - t.thread_idx().x);
}
int main() {
  const std::vector<float> numbers{1, 2, 3};
#ifdef GRIDSTRIDE_SPLITS_BARRIERS
  std::puts("split");
#endif
}
)");
  const ending e = run("run barrier.cpp");
  EXPECT_EQ(e.status, 0) << e.error;
  const auto plugin = workshop::build_folder(workshop::flavour::plain) / "compiler/CMakeFiles/split_at_barriers.dir";
  EXPECT_EQ(e.out, std::filesystem::exists(plugin) ? "split\n" : "");
}

TEST_F(program_command, a_report_has_all_its_faces) {
  write("plotted.cpp", R"(#include "runtime/gs.h"
#include "workbook/lesson.h"
void run(const workbook::parameters& given, workbook::report& report) {
  report.check_equal("the size", static_cast<long>(given.size()), 10);
}
workbook::lesson workbook::this_lesson() {
  return {.title = "A report",
          .parameters = {workbook::integer{.name = "size", .text = "n", .min = 1, .max = 100, .default_value = 10}},
          .run = run};
}
)");
  ending e = run("run plotted.cpp");
  EXPECT_EQ(e.status, 0) << e.error;
  expect_in("plotted  A report\n", e.out);
  expect_in("✓ the size", e.out);
  e = run("run plotted.cpp --size 11 --json --plots pictures");
  EXPECT_EQ(e.status, 1);
  const auto document = nlohmann::json::parse(e.out);
  EXPECT_EQ(document["name"], "plotted");
  EXPECT_EQ(document["lesson"], nullptr);
  EXPECT_EQ(document["items"][0]["got"], "11");
  expect_in("Parameters of the program:", run("run plotted.cpp --help").out);
}

TEST_F(program_command, run_takes_an_escape_character_in_a_string) {
  write("bold.cpp", "#include <cstdio>\nint main() { std::puts(\"\x1b[1mbold\"); }\n");
  EXPECT_EQ(run("run bold.cpp").out, "\x1b[1mbold\n");
}

TEST_F(program_command, what_a_signal_ends_is_said) {
  write("fault.cpp", "#include <cstdlib>\nint main() { std::abort(); }\n");
  const ending e = run("run fault.cpp");
  EXPECT_EQ(e.status, 134);
  expect_in("fault.cpp was ended by a signal: aborted. ./gridstride inspect fault.cpp observes", e.error);
}

TEST_F(program_command, help_and_wrong_words) {
  EXPECT_EQ(run("").status, 2);
  expect_in("new FILE.cpp", run("--help").out);
  expect_in("debug [--thread", run("run --help").out);
  EXPECT_EQ(run("fly x.cpp").status, 2);
  write("a.cpp", "int main() {}\n");
  const ending e = run("debug --stop a.cpp");
  EXPECT_EQ(e.status, 2);
  expect_in("write --thread 'block 3 thread 17' before the file", e.error);
  const ending thread = run("debug --thread nobody a.cpp");
  EXPECT_EQ(thread.status, 2);
  expect_in("gridstride: debug --thread: 'nobody'; write 'block 3 thread 17' or", thread.error);
}

TEST_F(inspected_program, with_a_main_of_its_own_is_observed_by_line) {
  write("race.cpp", racing);
  ending e = run("inspect race.cpp last");
  EXPECT_EQ(e.status, 1) << e.error;
  expect_in("1 arguments, the last is last\n", e.out);
  expect_in("race.cpp:6", e.out);
  expect_in("x[0] = static_cast<int>(t.grid());", e.out);  // the source, read where it is
  e = run("inspect --json race.cpp last");
  EXPECT_EQ(e.status, 1);
  const auto document = nlohmann::json::parse(e.out);
  EXPECT_EQ(document["name"], "race");
  EXPECT_EQ(document["items"][0]["kind"], "inspection");
  expect_in("1 arguments", e.error);
}

TEST_F(inspected_program, without_findings_ends_with_its_own_status) {
  write("race.cpp", racing);
  EXPECT_EQ(run("inspect --instruments memcheck race.cpp x").status, 5);
  EXPECT_EQ(run("inspect --instruments nonsense race.cpp x").status, 2);
}

TEST_F(inspected_program, that_throws_is_told_as_a_program) {
  write("thrown.cpp",
        "#include <stdexcept>\n#include \"runtime/gs.h\"\nint main() { throw std::runtime_error(\"no\"); }\n");
  const ending e = run("inspect thrown.cpp");
  EXPECT_EQ(e.status, 1);
  expect_in("thrown: running the program: it stopped with \"no\"", e.error);
}
