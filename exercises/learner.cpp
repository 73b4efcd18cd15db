#include "exercises/learner.h"

#include <fmt/format.h>

#include <random>

#include "exercises/check/check_exercise.h"
#include "runtime/core/error.h"
#include "workbook/exercise/learner_folder.h"
#include "workbook/exercise/marks.h"
#include "workshop/build_parts.h"
#include "workshop/file_text.h"

namespace exercises {
namespace {

namespace fs = std::filesystem;
using workbook::catalogue_exercise, workbook::exercise_state;

std::string text_of(const catalogue_exercise& exercise, const char* name) {
  const fs::path file = workbook::course_root() / "lessons" / exercise.folder() / name;
  return workshop::read_text(file, "reading " + file.string());
}

template <class Change>
void change_progress(Change change) {
  workbook::change_progress(workbook::progress_file(), change);
}

}  // namespace

std::vector<workbook::course_part> the_course() {
  return workbook::read_catalogue(workbook::course_root() / "lessons",
                                  workbook::course_build(workshop::build_folder(workshop::flavour::plain)) / "lessons");
}

bool begin(const catalogue_exercise& exercise) {
  const bool is_new_file = workbook::start(workbook::learner_file(exercise), text_of(exercise, "exercise.cpp"));
  advance(exercise, exercise_state::started);
  return is_new_file;
}

void advance(const catalogue_exercise& exercise, exercise_state s) {
  change_progress([&](workbook::progress& p) { p.advance(exercise.id(), exercise.name, s, workbook::today()); });
}

exercise_state state_of(const catalogue_exercise& exercise) {
  return workbook::read_progress(workbook::progress_file()).of(exercise.id()).state;
}

std::vector<shown_hint> next_hints(const catalogue_exercise& exercise) {
  const std::vector<workbook::hint> hints = workbook::read_hints(text_of(exercise, "hints.md"));
  const auto hint_at = [&](std::size_t k, bool is_new) {
    return shown_hint{
        .exercise = exercise.id(), .hint = hints[k], .number = k + 1, .count = hints.size(), .is_new = is_new};
  };
  std::vector<shown_hint> next;
  change_progress([&](workbook::progress& p) {
    p.advance(exercise.id(), exercise.name, exercise_state::started, workbook::today());
    const workbook::exercise_progress progress = p.of(exercise.id());
    if (progress.state == exercise_state::passed) {
      for (std::size_t k = 0; k < hints.size(); ++k) next.push_back(hint_at(k, true));
    } else if (progress.hints >= hints.size()) {
      next.push_back(hint_at(hints.size() - 1, false));
    } else {
      next.push_back(hint_at(progress.hints, true));
      p.took_hints(exercise.id(), progress.hints + 1);
    }
  });
  return next;
}

std::uint64_t seed_for(const catalogue_exercise& exercise) {
  if (state_of(exercise) != exercise_state::passed) return check_options{}.seed;
  return std::random_device{}() % 1'000'000;
}

std::string solution_of(const catalogue_exercise& exercise) {
  return workbook::shown_solution(text_of(exercise, "solution.cpp"));
}

std::optional<fs::path> begin_again(const catalogue_exercise& exercise) {
  const auto backup = workbook::reset(workbook::learner_file(exercise), text_of(exercise, "exercise.cpp"));
  change_progress([&](workbook::progress& p) { p.restart(exercise.id(), exercise.name, workbook::today()); });
  return backup;
}

}  // namespace exercises
