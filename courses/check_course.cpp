#include "courses/check_course.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "courses/exercise_findings.h"
#include "courses/file_findings.h"
#include "courses/program_run.h"
#include "courses/solution_findings.h"
#include "runtime/core/error.h"
#include "workbook/exercise/next_exercise.h"
#include "workshop/build_parts.h"

namespace courses {
namespace {

namespace fs = std::filesystem;

fs::path lesson_programs() {
  return workbook::course_build(workshop::build_folder(workshop::flavour::plain)) / "lessons";
}

std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

std::vector<finding> lesson_findings(const workbook::catalogue_entry& lesson) {
  const std::string place = "lessons/" + lesson.program();
  // Speed isn't checked here, so each program may take this long.
  const program_outcome out =
      run_program({(lesson_programs() / lesson.program()).string(), "--json"}, {{"GRIDSTRIDE_TIMEIT_SECONDS", "0.02"}});
  const nlohmann::json report = nlohmann::json::parse(out.output, nullptr, false);
  if (report.is_discarded() || !report.contains("lesson") || !report.at("lesson").is_number())
    return {{place, fmt::format("its program ends with status {}: {}", out.status, last_line(out.error))}};
  std::vector<finding> found;
  if (report.at("lesson") != lesson.number || report.at("name") != lesson.name)
    found.push_back({place, fmt::format("its program says that it is {:02}_{}", report.at("lesson").get<int>(),
                                        report.at("name").get<std::string>())});
  if (report.at("status") != "passed" || out.status != 0)
    found.push_back({place, fmt::format("a check of its program fails, status {}", out.status)});
  else if (report.at("checks").at("all") == 0)
    found.push_back({place, "its program checks nothing"});
  return found;
}

std::vector<finding> behaviour_findings(
    const std::function<void(double fraction, std::string_view activity)>& on_progress) {
  const fs::path course = workbook::course_root();
  const auto lessons = workbook::read_catalogue(course / "lessons", lesson_programs());
  const auto exercises = workbook::exercises_of(lessons);
  struct task {
    std::string name;
    std::function<std::vector<finding>()> findings;
  };
  std::vector<task> tasks;
  for (const workbook::course_part& part : lessons)
    for (const workbook::catalogue_entry& lesson : part.lessons)
      tasks.push_back({"lesson " + lesson.program(), [&lesson] { return lesson_findings(lesson); }});
  for (const workbook::catalogue_exercise& exercise : exercises)
    tasks.push_back({"exercise " + exercise.label(), [&exercise] { return exercise_findings(exercise); }});
  for (const std::string& name : assessment_folders(course)) {
    const fs::path solutions = course / "tests/assessments" / name;
    for (const fs::path& file : sources_in(solutions / "right", also_in::cuda))
      tasks.push_back({name + " " + file.stem().string(), [=] { return right_solution_findings(name, file); }});
    for (const fs::path& file : sources_in(solutions / "wrong", also_in::cuda))
      tasks.push_back({name + " " + file.stem().string(), [=] { return wrong_solution_findings(name, file); }});
    tasks.push_back(
        {name + " starter", [=] { return starter_findings(name, course / "assessments" / name / "starter.cpp"); }});
  }
  std::vector<finding> findings;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    on_progress(static_cast<double>(k) / static_cast<double>(tasks.size()), tasks[k].name);
    auto found = tasks[k].findings();
    findings.insert(findings.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  }
  return findings;
}

}  // namespace courses
