// Compiling submissions: which become modules, and the messages for those that don't.

#include "assessments/grader/running/compile.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <variant>

#include "runtime/core/error.h"
#include "tests/assessments/small_task.h"
#include "tests/runtime/refused.h"
#include "workshop/build_parts.h"
#include "workshop/private_folder.h"

namespace compile_test {

using grader::compiled_module;
using grader::mishap;
using grader::mishap_kind;
using runtime_test::refused;
using workshop::flavour;

const std::string right =
    "std::vector<float> act(int, std::span<const float> x, const gs::device_array<float>&,\n"
    "                       const gs::device_array<float>&) {\n"
    "  return {x.begin(), x.end()};\n"
    "}\n";

std::variant<compiled_module, mishap> compile(const std::string& source, const std::string& name = "my file.cpp",
                                              const grader::task& t = small_task::task()) {
  const workshop::private_folder folder;
  std::ofstream(folder.path() / name) << source;
  return grader::compile(t, workshop::read_source(folder.path() / name), flavour::plain,
                         workshop::strongest_isolation(), 4);
}

mishap problem_of(const std::string& source, const std::string& name = "my file.cpp",
                  const grader::task& t = small_task::task()) {
  const auto result = compile(source, name, t);
  if (const auto* problem = std::get_if<mishap>(&result)) return *problem;
  ADD_FAILURE() << "it was compiled: " << source;
  return {};
}

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(compile, makes_a_module_that_lives_as_long_as_it_is_held) {
  std::filesystem::path module;
  {
    auto result = compile(right);
    ASSERT_TRUE(std::holds_alternative<compiled_module>(result)) << std::get<mishap>(result).details;
    const auto& product = std::get<compiled_module>(result);
    module = product.module;
    EXPECT_TRUE(std::filesystem::exists(module));
    EXPECT_EQ(product.flavour, flavour::plain);
    EXPECT_GT(product.seconds, 0);
  }
  EXPECT_FALSE(std::filesystem::exists(module.parent_path()));
}

TEST(compile, takes_any_file_name) {
  for (const char* name : {"-o.cpp", "naïve (2).txt", "$(touch x).cc"}) {
    const auto result = compile(right, name);
    EXPECT_TRUE(std::holds_alternative<compiled_module>(result)) << name << ": " << std::get<mishap>(result).details;
  }
}

TEST(compile, shows_an_error_by_line_and_the_learners_own_name) {
  const mishap m = problem_of(right + "\nint f() { return undeclared; }\n", "layer.cpp");
  EXPECT_EQ(m.kind, mishap_kind::compile_error);
  EXPECT_EQ(m.place.file, "layer.cpp");
  EXPECT_EQ(m.place.line, 6u);
  EXPECT_EQ(m.place.column, 18u);
  EXPECT_EQ(m.text, "‘undeclared’ was not declared in this scope");
  EXPECT_HAS(m.details, "layer.cpp:6:18: error: ");
  EXPECT_EQ(m.details.find("/tmp/"), std::string::npos) << m.details;
}

TEST(compile, an_error_in_a_header_is_placed_where_the_learner_led_to_it) {
  const mishap m = problem_of(right +
                                  "GS_FN float half(float x) { return x / 2; }\nconstexpr auto f = "
                                  "gs::vectorize<half>;\nauto y = f(std::vector<double>(3));\n",
                              "layer.cpp");
  EXPECT_EQ(m.kind, mishap_kind::compile_error);
  EXPECT_EQ(m.place.file, "layer.cpp");
  EXPECT_EQ(m.place.line, 7u) << m.details;
}

TEST(compile, warnings_are_no_errors) {
  const auto result = compile(right + "static int unused(double x) { int y = x; return 1; }\n");
  EXPECT_TRUE(std::holds_alternative<compiled_module>(result)) << std::get<mishap>(result).details;
}

TEST(compile, asks_for_the_tasks_function) {
  const mishap missing_function = problem_of("int other() { return 1; }\n");
  EXPECT_EQ(missing_function.kind, mishap_kind::missing_function);
  EXPECT_EQ(missing_function.text, "It doesn't define the function act.");
  EXPECT_EQ(missing_function.details, small_task::task().signature);
  const mishap other_result = problem_of("int act(int x) { return x; }\n");
  EXPECT_EQ(other_result.kind, mishap_kind::missing_function);
  EXPECT_EQ(other_result.text, "It defines act(int), whose parameters differ from the task's function.");
  const mishap helper = problem_of("int helper(int);\n" + right + "int more() { return helper(1); }\n");
  EXPECT_EQ(helper.kind, mishap_kind::compile_error);
  EXPECT_HAS(helper.details, "undefined reference to `helper(int)'");
}

TEST(compile, says_that_main_is_left_out) {
  const mishap m = problem_of(right + "int main() { return 0; }\n");
  EXPECT_EQ(m.kind, mishap_kind::refused);
  EXPECT_EQ(
      m.text,
      "It defines main, and the program that calls it has one already: leave yours out. The grader calls act itself.");
}

TEST(compile, refuses_names_that_belong_to_others) {
  const std::pair<const char*, const char*> reserved[] = {
      {"extern \"C\" void* malloc(std::size_t) { return nullptr; }\n", "malloc"},
      {"extern \"C\" void* memcpy(void* to, const void*, std::size_t) { return to; }\n", "memcpy"},
      {"#include <ctime>\nextern \"C\" int clock_gettime(clockid_t, timespec*) { return 0; }\n", "clock_gettime"},
      {"extern \"C\" __attribute__((weak)) int puts(const char*) { return 0; }\n", "puts"},
      {"void* operator new(std::size_t) { throw 1; }\n", "operator new(unsigned long)"},
      {"void operator delete(void*) noexcept {}\n", "operator delete(void*)"},
      {"asm(\".globl _init\\n_init: ret\");\n", "_init"},
      {"extern \"C\" void* gridstride_submission() { return nullptr; }\n", "gridstride_submission"},
      {"namespace gs { inline namespace plain { ledger ledger_total() { return {}; } } }\n",
       "gs::plain::ledger_total()"},
  };
  for (const auto& [source, name] : reserved) {
    const mishap m = problem_of(right + source);
    EXPECT_EQ(m.kind, mishap_kind::refused) << name << ": " << m.details;
    EXPECT_EQ(m.text, "It defines " + std::string(name) +
                          ", a name of the system's libraries, the runtime or the program that calls it. Give your "
                          "function another name, or make it static.");
  }
}

TEST(compile, includes_nothing_from_outside) {
  if (workshop::strongest_isolation() == workshop::isolation::limits) GTEST_SKIP() << "nothing is isolated here";
  for (const std::string& file :
       {std::string("/etc/passwd"), std::string(__FILE__), std::string("assessments/grader/running/compile.cpp")}) {
    const mishap m = problem_of("#include \"" + file + "\"\n" + right);
    EXPECT_EQ(m.kind, mishap_kind::compile_error) << file;
    // A file that a sandbox leaves out doesn't exist there; one that it only closes exists, for others.
    const bool closed = workshop::strongest_isolation() == workshop::isolation::landlock;
    EXPECT_HAS(m.text, closed ? "Permission denied" : "No such file or directory");
  }
  const mishap binary = problem_of(right + "asm(\".incbin \\\"/etc/passwd\\\"\");\n");
  EXPECT_EQ(binary.kind, mishap_kind::compile_error);
  EXPECT_HAS(binary.details, "/etc/passwd");
}

TEST(compile, ends_a_compile_bomb) {
  grader::task hasty = small_task::task();
  hasty.limits.compile_seconds = 2;
  const mishap endless = problem_of(
      right +
          "constexpr unsigned long spin(unsigned long n) { unsigned long s = 0; for (unsigned long k = 0; k < n; ++k) "
          "for (unsigned long j = 0; j < 20000; ++j) s += j; return s; }\n"
          "template <int N> struct many { static constexpr unsigned long v = spin(N) + many<N - 1>::v; };\n"
          "template <> struct many<0> { static constexpr unsigned long v = 0; };\n"
          "unsigned long x = many<800>::v;\n",
      "bomb.cpp", hasty);
  EXPECT_EQ(endless.kind, mishap_kind::timed_out) << endless.details;
  EXPECT_HAS(endless.text, "ompiling took longer than 2 s.");
  grader::task small = small_task::task();
  small.limits.compile_memory_bytes = 700 << 20;
  const mishap large = problem_of(
      right +
          "template <int... N> struct list {};\n"
          "template <class A, class B> struct joined;\n"
          "template <int... A, int... B> struct joined<list<A...>, list<B...>> { using type = list<A..., B...>; };\n"
          "template <int D> struct tree { using type = typename joined<typename tree<D - 1>::type, typename tree<D - "
          "1>::type>::type; };\n"
          "template <> struct tree<0> { using type = list<1>; };\n"
          "template <int... N> constexpr int sum(list<N...>) { return (N + ... + 0); }\n"
          "using a = tree<26>::type; a* b;\n",
      "bomb.cpp", small);
  EXPECT_EQ(large.kind, mishap_kind::out_of_memory) << large.text << large.details;
  EXPECT_HAS(large.text, "ompiling took more than 0.7 GB of memory.");
}

TEST(compile, refuses_what_is_no_source_file) {
  const workshop::private_folder folder;
  const grader::task t = small_task::task();
  const auto compile_file = [&](const char* name) {
    grader::compile(t, workshop::read_source(folder.path() / name), flavour::plain, workshop::strongest_isolation());
  };
  EXPECT_TRUE(refused([&] { compile_file("absent.cpp"); },
                      {"grade ", "No such file or directory; give a file that can be read"}));
  std::filesystem::create_symlink("/etc/passwd", folder.path() / "link.cpp");
  EXPECT_TRUE(refused([&] { compile_file("link.cpp"); }, {"it is a symbolic link; give the file that it points to"}));
  std::filesystem::create_directory(folder.path() / "folder.cpp");
  EXPECT_TRUE(refused([&] { compile_file("folder.cpp"); }, {"it isn't a regular file; give a C++ source file"}));
  std::ofstream(folder.path() / "large.cpp") << std::string(2'000'000, ' ');
  EXPECT_TRUE(refused([&] { compile_file("large.cpp"); }, {"it has 2.0 MB; give a source file of at most 1 MB"}));
}

TEST(compile, says_what_is_not_built) {
  grader::task t = small_task::task();
  t.folder = "/nowhere/no_task";
  EXPECT_TRUE(refused<gs::machine_error>(
      [&] { grader::compile(t, {.path = "x.cpp", .text = right}, flavour::plain, workshop::strongest_isolation()); },
      {"compile a submission for T1, plain flavour: there is no ",
       "tasks/no_task/submission.json; build it: cmake --preset ", " --target submission_parts"}));
}

}  // namespace compile_test
