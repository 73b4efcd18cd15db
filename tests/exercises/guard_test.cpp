// Every exercise of the course: its starter fails, its solution passes, its wrong solutions are each rejected for their
// own reason, and there are hints. Compiling takes longest: eight of them are compiled as one learner's file, and run
// one by one.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "exercises/check/check_exercise.h"
#include "exercises/check/compile_exercise.h"
#include "exercises/check/run_checks.h"
#include "exercises/explain/unmarked_functions.h"
#include "tests/temporary_folder.h"
#include "workbook/exercise/hints.h"
#include "workbook/exercise/marks.h"
#include "workbook/exercise/next_exercise.h"
#include "workshop/build_parts.h"

namespace workbook {
void PrintTo(const catalogue_entry& e, std::ostream* out) { *out << e.program(); }
}  // namespace workbook

namespace {

namespace fs = std::filesystem;
using exercises::exercise_result;

const fs::path lessons = workbook::course_root() / "lessons";

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

double processor_seconds_of_children() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// "uninitialized_read" is "uninitialized read".
std::string words(std::string text) {
  std::ranges::replace(text, '_', ' ');
  return text;
}

// Whether a wrong solution was rejected for the reason that its first line names: the first failing check, the kind of
// a finding, or what ended the program.
bool is_the_reason(const std::string& expected, const exercise_result& r) {
  std::vector<std::string> reasons = {std::string(to_string(r.outcome)), r.text};
  if (const auto* c = r.first_failed_check()) reasons.push_back(c->name);
  for (const gs::finding& f : r.findings) reasons.emplace_back(to_string(f.kind));
  return std::ranges::any_of(reasons,
                             [&](const std::string& one) { return words(one).find(words(expected)) != one.npos; });
}

std::string description(const exercise_result& r) {
  std::string text = r.file + ": " + std::string(to_string(r.outcome)) + ". " + r.text + "\n" + r.messages;
  if (const auto* c = r.first_failed_check()) text += c->name + ": expected " + c->expected + ", got " + c->got + "\n";
  for (const gs::finding& f : r.findings) text += std::string(to_string(f.kind)) + ": " + f.meaning + "\n";
  return text + r.output;
}

// The lines that say what a source includes.
std::string includes_of(const fs::path& source) {
  std::ifstream in(source);
  std::string includes;
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("#include <") || line.starts_with("#include \"")) includes += line + "\n";
  return includes;
}

// A learner's file that holds all of them: the first one as it is, before anybody else's headers, each other one in a
// namespace with checks of its own. The checks that include the file itself are the first one's. The name of the
// program, a number, says which one's it runs.
std::string all_in_one_file(const std::vector<fs::path>& sources, const fs::path& checks) {
  std::string includes = "#include <errno.h>\n#include <cstdlib>\n" + includes_of(checks), text, exercises;
  for (std::size_t k = 1; k < sources.size(); ++k) {
    includes += includes_of(sources[k]);
    const std::string name = "other_" + std::to_string(k);
    text += "#undef GRIDSTRIDE_EXERCISE\n#define GRIDSTRIDE_EXERCISE \"" + sources[k].string() + "\"\n" + "namespace " +
            name + " {\nnamespace workbook { using namespace ::workbook; exercise this_exercise(); }\n" +
            "#include \"" + checks.string() + "\"\n}\n";
    exercises += ", " + name + "::workbook::this_exercise";
  }
  return "#include \"" + sources.front().string() + "\"\n" + includes + text +
         "namespace workbook { exercise first_exercise(); }\n" + "workbook::exercise workbook::this_exercise() {\n" +
         "  exercise (*const all[])() = {first_exercise" + exercises + "};\n" +
         "  return all[std::atoi(program_invocation_short_name)]();\n}\n#define this_exercise first_exercise\n" +
         "#undef GRIDSTRIDE_EXERCISE\n#define GRIDSTRIDE_EXERCISE \"" + sources.front().string() + "\"\n";
}

std::vector<workbook::catalogue_entry> all_exercises() {
  return workbook::exercises_of(workbook::read_catalogue(lessons, "/nowhere"));
}

class every_exercise : public testing::TestWithParam<workbook::catalogue_entry> {
 protected:
  fs::path folder() const { return lessons / GetParam().program(); }

  // File number `k` of those that were compiled together.
  void is_as_it_should_be(const fs::path& file, std::size_t k, const exercises::exercise_program& all,
                          const fs::path& checks) const {
    const std::string text = text_of(file), mark = "// expect: ", first = text.substr(0, text.find('\n'));
    EXPECT_TRUE(exercises::unmarked_functions(text, {text_of(checks)}).empty()) << file << " lacks a GS_FN";
    exercises::exercise_program program = all;
    program.program = all.folder->path() / std::to_string(k);
    program.source = file;
    fs::create_hard_link(all.program, program.program);
    exercise_result r{.exercise = GetParam(), .file = file.string()};
    ASSERT_TRUE(exercises::run_checks(program, {}, r));
    if (file == folder() / "solution.cpp") {
      EXPECT_TRUE(r.passed()) << description(r);
      EXPECT_GT(r.checks.size(), 0u);
      return;
    }
    EXPECT_FALSE(r.passed()) << file << " passes";
    if (file == folder() / "exercise.cpp") return;
    ASSERT_TRUE(first.starts_with(mark) && first.size() > mark.size()) << file << " doesn't say what to expect";
    EXPECT_TRUE(is_the_reason(first.substr(mark.size()), r))
        << "not rejected for '" << first.substr(mark.size()) << "'\n"
        << description(r);
  }
};

}  // namespace

TEST_P(every_exercise, is_sound) {
  EXPECT_EQ(text_of(folder() / "exercise.cpp"), workbook::starter_of(text_of(folder() / "solution.cpp")))
      << "exercise.cpp isn't what the marks in solution.cpp make of it";
  EXPECT_GE(workbook::read_hints(text_of(folder() / "hints.md")).size(), 3u);

  // So what the solution finds in its headers is there for the starter, which isn't compiled alone.
  const fs::path starter = folder() / "exercise.cpp";
  EXPECT_EQ(includes_of(starter), includes_of(folder() / "solution.cpp"));

  std::vector<fs::path> files = {folder() / "solution.cpp"};
  for (const auto& entry : fs::directory_iterator(fs::path(WRONG_SOLUTIONS) / GetParam().program() / "wrong"))
    if (entry.path().extension() == ".cpp") files.push_back(entry.path());
  ASSERT_GE(files.size(), 6u);
  files.push_back(starter);
  const double before = processor_seconds_of_children();
  const fs::path checks = exercises::checks_of(GetParam());
  constexpr std::size_t together = 8;  // the compiler has a minute, on a busy machine as well
  for (std::size_t first = 0; first < files.size(); first += together) {
    const std::size_t count = std::min(together, files.size() - first);
    const std::vector<fs::path> some(files.begin() + static_cast<std::ptrdiff_t>(first),
                                     files.begin() + static_cast<std::ptrdiff_t>(first + count));
    const gridstride_test::temporary_folder place;
    std::ofstream(place / "all.cpp") << all_in_one_file(some, checks);
    exercise_result compiled{.exercise = GetParam(), .file = "the solution, the wrong ones and the starter"};
    const auto made = exercises::compile(place / "all.cpp", workshop::isolation::limits, {}, compiled);
    const auto* all = std::get_if<exercises::exercise_program>(&made);
    ASSERT_TRUE(all) << "one of them doesn't compile, ./gridstride check " << GetParam().number << " FILE says why\n"
                     << description(compiled);
    for (std::size_t k = 0; k < count; ++k) is_as_it_should_be(some[k], k, *all, checks);
  }
  std::printf("%s: %zu files, %.1f s of processor time\n", GetParam().program().c_str(), files.size(),
              processor_seconds_of_children() - before);
  RecordProperty("processor_seconds", std::to_string(processor_seconds_of_children() - before));
}

// On the GPU, or on the engine where there is none: there it is the same source without the kernels' machine code.
TEST_P(every_exercise, passes_compiled_by_nvcc) {
  const fs::path parts = workshop::build_folder(workshop::flavour::cuda) / "exercises/CMakeFiles/exercise_checker.dir";
  if (!exists(parts / "checker/checker_program.cpp.o"))
    GTEST_SKIP() << "the cuda preset's exercise_parts aren't built: there is nothing in " << parts;
  const auto solution = exercises::check_exercise(GetParam(), folder() / "solution.cpp", {.by_nvcc = true}).value();
  EXPECT_TRUE(solution.passed()) << description(solution);
  EXPECT_GT(solution.checks.size(), 0u);
}

INSTANTIATE_TEST_SUITE_P(exercises, every_exercise, testing::ValuesIn(all_exercises()),
                         [](const auto& info) { return "lesson_" + info.param.program(); });
