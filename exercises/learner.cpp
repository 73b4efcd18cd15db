#include "exercises/learner.h"

#include <fmt/format.h>

#include "assessments/grader/build_parts.h"
#include "assessments/grader/file_text.h"
#include "runtime/core/error.h"
#include "workbook/exercise/learner_folder.h"
#include "workbook/exercise/marks.h"

namespace exercises {
namespace {

namespace fs = std::filesystem;
using workbook::catalogue_entry, workbook::exercise_state;

std::string text_of(const catalogue_entry& exercise, const char* name) {
  const fs::path file = workbook::course_root() / "lessons" / exercise.program() / name;
  return grader::read_text(file, "reading " + file.string());
}

template <class Change>
void change_progress(Change change) {
  workbook::progress p = workbook::read_progress(workbook::progress_file());
  const std::string before = p.to_text();
  change(p);
  if (p.to_text() != before) workbook::write_progress(workbook::progress_file(), p);
}

}  // namespace

std::vector<workbook::course_part> the_course() {
  return workbook::read_catalogue(workbook::course_root() / "lessons",
                                  grader::build_folder(grader::flavour::plain) / "lessons");
}

bool begin(const catalogue_entry& exercise) {
  const bool made = workbook::start(workbook::learner_file(exercise), text_of(exercise, "exercise.cpp"));
  advance(exercise, exercise_state::started);
  return made;
}

void advance(const catalogue_entry& exercise, exercise_state s) {
  change_progress([&](workbook::progress& p) { p.advance(exercise.number, exercise.name, s, workbook::today()); });
}

exercise_state state_of(const catalogue_entry& exercise) {
  return workbook::read_progress(workbook::progress_file()).of(exercise.number).state;
}

shown_hint next_hint(const catalogue_entry& exercise) {
  const std::vector<workbook::hint> hints = workbook::read_hints(text_of(exercise, "hints.md"));
  shown_hint shown{
      .exercise = exercise.number, .hint = hints.back(), .number = hints.size(), .all = hints.size(), .is_new = false};
  change_progress([&](workbook::progress& p) {
    p.advance(exercise.number, exercise.name, exercise_state::started, workbook::today());
    const std::size_t taken = p.of(exercise.number).hints;
    if (taken >= hints.size()) return;
    shown = {
        .exercise = exercise.number, .hint = hints[taken], .number = taken + 1, .all = hints.size(), .is_new = true};
    p.took_hints(exercise.number, static_cast<unsigned>(taken + 1));
  });
  return shown;
}

std::string solution_of(const catalogue_entry& exercise) {
  return workbook::shown_solution(text_of(exercise, "solution.cpp"));
}

std::optional<fs::path> begin_again(const catalogue_entry& exercise) {
  const auto backup = workbook::reset(workbook::learner_file(exercise), text_of(exercise, "exercise.cpp"));
  change_progress([&](workbook::progress& p) { p.restart(exercise.number, exercise.name, workbook::today()); });
  return backup;
}

}  // namespace exercises
