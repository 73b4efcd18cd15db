// Every exercise of the course: its starter fails, its solution passes, its wrong solutions are each rejected for their
// own reason, and there are hints: what ./gridstride course check says of any course.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "courses/exercise_findings.h"
#include "courses/file_findings.h"
#include "exercises/check/check_exercise.h"
#include "tests/undeclared.h"
#include "workbook/exercise/hints.h"
#include "workbook/exercise/next_exercise.h"
#include "workshop/build_parts.h"
#include "workshop/file_text.h"
#include "workshop/private_folder.h"

namespace workbook {
void PrintTo(const catalogue_exercise& e, std::ostream* out) { *out << e.label(); }
}  // namespace workbook

namespace {

namespace fs = std::filesystem;
using exercises::exercise_result;

const fs::path lessons = workbook::course_root() / "lessons";

double processor_seconds_of_children() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

std::string description(const exercise_result& r) {
  std::string text = r.file + ": " + std::string(to_string(r.outcome)) + ". " + r.text + "\n" + r.messages;
  if (const auto* c = r.first_failed_check()) text += c->name + ": expected " + c->expected + ", got " + c->got + "\n";
  for (const gs::finding& f : r.findings) text += std::string(to_string(f.kind)) + ": " + f.meaning + "\n";
  return text + r.output;
}

std::vector<workbook::catalogue_exercise> all_exercises() {
  return workbook::exercises_of(workbook::read_catalogue(lessons, "/nowhere"));
}

class every_exercise : public testing::TestWithParam<workbook::catalogue_exercise> {
 protected:
  fs::path folder() const { return lessons / GetParam().folder(); }
};

}  // namespace

TEST_P(every_exercise, is_sound) {
  const fs::path course = workbook::course_root();
  const std::vector<fs::path> wrong = courses::sources_in(courses::wrong_solutions_of(course, GetParam()));
  ASSERT_EQ(to_string(courses::exercise_file_findings(course, GetParam())), "");
  // More than is required of other courses.
  EXPECT_GE(workbook::read_hints(workshop::read_text(folder() / "hints.md", "reading the hints")).size(), 3u);
  EXPECT_GE(wrong.size(), GetParam().warm_up ? 3u : 5u);

  const double seconds_before = processor_seconds_of_children();
  EXPECT_EQ(to_string(courses::exercise_findings(GetParam())), "");
  std::printf("%s: %zu files, %.1f s of processor time\n", GetParam().label().c_str(), wrong.size() + 2,
              processor_seconds_of_children() - seconds_before);
  RecordProperty("processor_seconds", std::to_string(processor_seconds_of_children() - seconds_before));
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

namespace {

const fs::path solutions = workbook::course_root() / "tests/exercises";

std::vector<fs::path> cuda_solutions() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(solutions))
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

exercise_result checked(const std::string& number, const fs::path& file) {
  const auto course = workbook::read_catalogue(lessons, "/nowhere");
  return exercises::check_exercise(workbook::find_exercise(course, number), file, {}).value();
}

class cuda_solution : public testing::TestWithParam<fs::path> {};

// Of a solution with `old` replaced.
class changed_cuda_solution : public testing::Test {
 protected:
  exercise_result check(const std::string& number, const fs::path& file, const std::string& old,
                        const std::string& text) const {
    std::string source = workshop::read_text(solutions / file, "reading a solution");
    const std::size_t at = source.find(old);
    EXPECT_NE(at, source.npos) << old;
    const fs::path changed = folder_.path() / "mine.cu";
    std::ofstream(changed) << source.replace(at, old.size(), text);
    return checked(number, changed);
  }

 private:
  workshop::private_folder folder_;
};

}  // namespace

TEST_P(cuda_solution, passes) {
  const fs::path exercise = GetParam().parent_path().parent_path().filename();
  const auto result = checked(exercise.string().substr(0, 2), GetParam());
  EXPECT_TRUE(result.passed()) << description(result);
  EXPECT_GT(result.checks.size(), 0u);
  EXPECT_EQ(result.left_out, "");
}

INSTANTIATE_TEST_SUITE_P(exercises, cuda_solution, testing::ValuesIn(cuda_solutions()), [](const auto& info) {
  return info.param.parent_path().parent_path().filename().string() + "_" + info.param.stem().string();
});

TEST_F(changed_cuda_solution, is_told_of_its_race_at_its_line) {
  const auto result = check("25", "25_transpose/right/cuda_cpp.cu", "__syncthreads();", ";");
  EXPECT_FALSE(result.passed());
  ASSERT_FALSE(result.findings.empty()) << description(result);
  const gs::finding& race = result.findings.front();
  EXPECT_EQ(race.kind, gs::finding_kind::race_in_block);
  EXPECT_EQ(race.access.where.line, 13u);
  EXPECT_TRUE(race.access.where.file.ends_with("mine.cu")) << race.access.where.file;
}

TEST_F(changed_cuda_solution, is_told_of_its_mistake_at_its_line) {
  const auto result =
      check("09", "09_device_arrays/right/cuda_cpp.cu", "accounts[i] *= factor[i];", "accounts[j] = 0;");
  EXPECT_EQ(result.place.line, 11) << description(result);
  EXPECT_TRUE(result.place.file.ends_with("mine.cu")) << result.place.file;
  EXPECT_NE(result.text.find(undeclared("j")), std::string::npos) << result.text;
}

TEST_F(changed_cuda_solution, is_told_which_functions_it_cannot_write) {
  const auto result =
      check("13", "09_device_arrays/right/cuda_cpp.cu", "multiply(float* accounts", "mix(float* accounts");
  EXPECT_EQ(to_string(result.outcome), std::string("compile error")) << description(result);
  EXPECT_EQ(
      result.advice,
      "The checks call what lessons/13_first_kernel/exercise.cpp begins, with its names and parameters. A function "
      "with a gs::thread, gs::block or gs::view stays one of gs; what is called by the host, or with plain "
      "numbers, can be CUDA C++.");
}

INSTANTIATE_TEST_SUITE_P(exercises, every_exercise, testing::ValuesIn(all_exercises()),
                         [](const auto& info) { return "lesson_" + info.param.label(); });
