#include "assessments/grader/running/submission_parts.h"

#include "workbook/catalogue.h"

namespace grader {

using workshop::build_folder, workshop::flavour;

namespace fs = std::filesystem;
using workshop::flavour, workshop::build_folder;

constexpr const char* target = "submission_parts";

fs::path runner_program(flavour f) {
  return workshop::built(build_folder(f) / "assessments/runner/gridstride-runner",
                         "run a submission, " + to_string(f) + " flavour", f, target);
}

fs::path built_folder(const task& t, flavour f) {
  return workbook::course_build(build_folder(f)) / "assessments/tasks" / t.folder.filename();
}

workshop::compilation_parts parts_of(const task& t, flavour f) {
  return workshop::read_parts(built_folder(t, f) / "submission.json",
                              "compile a submission for " + t.id + ", " + to_string(f) + " flavour", f, target);
}

std::vector<fs::path> readable_by_runner(flavour f) { return {runner_program(f), build_folder(f) / "runtime"}; }

}  // namespace grader
