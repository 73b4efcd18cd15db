// Every exercise of the course: its starter fails, its solution passes, its wrong solutions are each rejected for their
// own reason, and there are hints: what ./gridstride course check says of any course.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdio>
#include <filesystem>

#include "courses/exercise_findings.h"
#include "courses/file_findings.h"
#include "exercises/check/check_exercise.h"
#include "workbook/exercise/hints.h"
#include "workbook/exercise/next_exercise.h"
#include "workshop/build_parts.h"
#include "workshop/file_text.h"

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

INSTANTIATE_TEST_SUITE_P(exercises, every_exercise, testing::ValuesIn(all_exercises()),
                         [](const auto& info) { return "lesson_" + info.param.label(); });
