// Sources that become programs and modules: by the system's own compiler, without anything of the project's build.

#include "workshop/compilation.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/core/error.h"
#include "tests/runtime/refused.h"
#include "tests/undeclared.h"

namespace compilation_test {

namespace fs = std::filesystem;
using workshop::compile_failure;
using workshop::compile_request;
using workshop::compiled_product;
using workshop::source_file;

compile_request request_for(std::vector<source_file> sources) {
  workshop::compilation_parts parts;
  parts.compiler = parts.linker = "c++";
  parts.flags = {"-std=c++20", "-fPIC", "-Wall", "-Wextra", "-Wconversion", "-Werror"};
  return {.purpose = "compile a test", .parts = parts, .sources = std::move(sources)};
}

std::variant<compiled_product, compile_failure> compile(const compile_request& request) {
  workshop::compilation steps(request);
  if (auto failed = steps.compile()) return std::move(*failed);
  if (auto failed = steps.link()) return std::move(*failed);
  return steps.result();
}

compiled_product compiled(const compile_request& request) {
  auto result = compile(request);
  if (auto* product = std::get_if<compiled_product>(&result)) return std::move(*product);
  ADD_FAILURE() << std::get<compile_failure>(result).text << "\n" << std::get<compile_failure>(result).messages;
  return {};
}

compile_failure failure(const compile_request& request) {
  auto result = compile(request);
  if (auto* failed = std::get_if<compile_failure>(&result)) return std::move(*failed);
  ADD_FAILURE() << "it was compiled";
  return {};
}

std::string output_of(const compiled_product& product) {
  const auto result = workshop::run_program({.command = {product.file.string()}}, 20);
  EXPECT_EQ(result.status, 0);
  return result.output;
}

// A library's function `name`, called.
int call(const compiled_product& product, const char* name) {
  void* library = dlopen(product.file.c_str(), RTLD_NOW);
  if (!library) return ADD_FAILURE() << dlerror(), 0;
  auto* function = reinterpret_cast<int (*)()>(dlsym(library, name));
  const int value = function ? function() : 0;
  dlclose(library);
  return value;
}

const source_file hello{.path = "hello.cpp", .text = "#include <cstdio>\nint main() { std::puts(\"hello\"); }\n"};
const source_file endless{
    .path = "endless.cpp",
    .text =
        "constexpr unsigned long spin(unsigned long n) { unsigned long s = 0; for (unsigned long k = 0; k < n; ++k) "
        "for (unsigned long j = 0; j < 20000; ++j) s += j; return s; }\n"
        "template <int N> struct many { static constexpr unsigned long v = spin(N) + many<N - 1>::v; };\n"
        "template <> struct many<0> { static constexpr unsigned long v = 0; };\n"
        "unsigned long x = many<800>::v;\nint main() {}\n"};

TEST(compilation, makes_a_program_that_lives_as_long_as_it_is_held) {
  fs::path file;
  {
    const compiled_product product = compiled(request_for({hello}));
    file = product.file;
    EXPECT_EQ(output_of(product), "hello\n");
    EXPECT_GT(product.seconds, 0);
  }
  EXPECT_FALSE(fs::exists(file));
}

TEST(compilation, links_several_sources) {
  EXPECT_EQ(output_of(compiled(request_for(
                {{.path = "there/answer.cpp", .text = "int answer() { return 42; }\n"},
                 {.path = "here/main.cpp",
                  .text = "#include <cstdio>\nint answer();\nint main() { std::printf(\"%d\", answer()); }\n"}}))),
            "42");
  EXPECT_TRUE(runtime_test::refused([] { compile(request_for({hello, {.path = "x/hello.cpp", .text = ""}})); },
                                    {"compile a test: two of the files are called hello.cpp; rename one of them"}));
}

TEST(compilation, makes_a_module) {
  compile_request request = request_for({{.path = "m.cpp", .text = "extern \"C\" int seven() { return 7; }\n"}});
  request.product = workshop::product::module;
  EXPECT_EQ(call(compiled(request), "seven"), 7);
}

TEST(compilation, compiles_a_file_that_includes_the_source) {
  const workshop::private_folder folder;
  std::ofstream(folder.path() / "around.cpp") << "#include LEARNERS_FILE\nint main() { return answer() - 42; }\n";
  compile_request request = request_for({{.path = "a.cpp", .text = "static int answer() { return 42; }\n"}});
  request.includer = {.file = folder.path() / "around.cpp", .macro = "LEARNERS_FILE"};
  EXPECT_EQ(output_of(compiled(request)), "");
}

TEST(compilation, finds_headers_beside_the_source) {
  const workshop::private_folder folder;
  std::ofstream(folder.path() / "beside.h") << "#define TEXT \"from beside\"\n";
  compile_request request =
      request_for({{.path = folder.path() / "a.cpp",
                    .text = "#include <cstdio>\n#include \"beside.h\"\nint main() { std::printf(TEXT); }\n"}});
  EXPECT_NE(failure(request).text.find("beside.h: No such file"), std::string::npos);
  request.include_folders = {folder.path()};
  EXPECT_EQ(output_of(compiled(request)), "from beside");
}

TEST(compilation, shows_the_sources_own_folder) {
  const workshop::private_folder folder;
  std::ofstream(folder.path() / "around.cpp") << "#include LEARNERS_FILE\n";
  compile_request request =
      request_for({{.path = "a.cpp", .text = "#include <cstdio>\nint main() { std::printf(\"%s\", __FILE__); }\n"}});
  request.includer = {.file = folder.path() / "around.cpp", .macro = "LEARNERS_FILE"};
  request.shown_folder = "/shown/folder";
  EXPECT_EQ(output_of(compiled(request)), "/shown/folder/a.cpp");
}

TEST(compilation, an_error_has_its_place_and_a_warning_is_none) {
  const compile_failure failed =
      failure(request_for({hello, {.path = "some/where.cpp", .text = "int f() {\n  return undeclared;\n}\n"}}));
  EXPECT_EQ(failed.reason, compile_failure::cause::error);
  EXPECT_EQ(failed.step, "compiling");
  EXPECT_EQ(failed.text, undeclared("undeclared"));
  EXPECT_EQ(failed.place.file, "where.cpp");
  EXPECT_EQ(failed.place.line, 2u);
  EXPECT_EQ(failed.place.column, 10u);
  compiled(request_for({{.path = "a.cpp", .text = "int main() { double x = 1; int y = x; }\n"}}));
}

TEST(compilation, says_that_linking_failed) {
  const compile_failure failed =
      failure(request_for({{.path = "a.cpp", .text = "int absent();\nint main() { return absent(); }\n"}}));
  EXPECT_EQ(failed.reason, compile_failure::cause::error);
  EXPECT_EQ(failed.step, "linking");
  EXPECT_EQ(failed.text, "Linking failed.");
  EXPECT_NE(failed.messages.find("undefined reference to `absent()'"), std::string::npos) << failed.messages;
}

TEST(compilation, ends_when_its_time_is_over) {
  compile_request request = request_for({endless});
  request.seconds = 2;
  const compile_failure late = failure(request);
  EXPECT_EQ(late.reason, compile_failure::cause::out_of_time);
  EXPECT_EQ(late.text, "Compiling took longer than 2 s.");
}

TEST(compilation, can_be_interrupted) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const gs::detail::descriptor reading(ends[0]), writing(ends[1]);
  ASSERT_EQ(write(writing.number(), "!", 1), 1);
  compile_request request = request_for({endless});
  request.interrupt = {.descriptor = reading.number(), .happened = [] { return true; }};
  EXPECT_EQ(failure(request).reason, compile_failure::cause::interrupted) << "not out of time";
}

TEST(compilation, lets_tools_read_the_objects) {
  workshop::compilation steps(request_for({hello}));
  ASSERT_FALSE(steps.compile());
  ASSERT_EQ(steps.objects().size(), 1u);
  const auto names = steps.run_tool({"nm", "--defined-only", steps.objects()[0]}, "reading the names", 1 << 20);
  ASSERT_TRUE(std::holds_alternative<workshop::program_result>(names));
  EXPECT_NE(std::get<workshop::program_result>(names).output.find(" T main"), std::string::npos);
  const auto failed = steps.run_tool({"nm", "absent.o"}, "reading the names", 1 << 20);
  ASSERT_TRUE(std::holds_alternative<compile_failure>(failed));
  EXPECT_EQ(std::get<compile_failure>(failed).text, "Reading the names failed.");
}

}  // namespace compilation_test
