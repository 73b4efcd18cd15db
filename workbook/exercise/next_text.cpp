#include "workbook/exercise/next_text.h"

#include <fmt/format.h>

#include <string_view>

#include "workbook/command_name.h"
#include "workbook/exercise/learner_folder.h"
#include "workbook/exercise/next_exercise.h"
#include "workbook/terminal/text_frame.h"
#include "workbook/terminal/text_layout.h"

namespace workbook {

std::string passed_text(const std::vector<catalogue_exercise>& exercises, const progress& p) {
  std::size_t passed = 0, skipped = 0;
  for (const catalogue_exercise& e : exercises) {
    passed += p.of(e.id()).state == exercise_state::passed;
    skipped += p.of(e.id()).state == exercise_state::skipped;
  }
  std::string text = fmt::format("{} of {} exercises passed", passed, exercises.size());
  if (skipped > 0) text += fmt::format(", {} skipped", skipped);
  return text + ".";
}

std::string next_text(const std::vector<course_part>& course, const progress& p, const terminal& t) {
  const std::vector<catalogue_exercise> exercises = exercises_of(course);
  const catalogue_exercise* next = next_exercise(exercises, p);
  std::string out = passed_text(exercises, p) + "\n\n";
  if (!next) {
    out += fmt::format("None is left. The assessments are without a solution beside them: {} grade\n",
                       course_command_name());
    return t.unicode ? out : to_ascii(out);
  }
  const std::vector<catalogue_entry> lessons = lessons_before(course, *next);
  const std::string id = to_string(next->id());
  const bool started = p.of(next->id()).state == exercise_state::started;
  out += in_bold(fmt::format("{} {} {}", started ? "You are at" : "Next comes", id, next->name), t) + "  " +
         next->title + (next->warm_up ? ": a warm-up of five minutes" : "") + "\n\n";
  const auto row = [&](std::string_view command, const std::string& how) {
    out += fmt::format("  {:<7} {}\n", command, how);
  };
  if (!started && lessons.size() > 1) {
    std::string before;
    for (std::size_t k = 0; k + 1 < lessons.size(); ++k)
      before += fmt::format("{}{:02} {}", k ? ", " : "", lessons[k].number, lessons[k].name);
    row("before", before);
  }
  row("read", path_from_here(course_root() / "lessons" / lessons.back().program() / "README.md"));
  row("run", fmt::format("{} run {:02}", course_command_name(), next->number));
  row("write",
      fmt::format("{}, with {} watch {} beside it", path_from_here(learner_file(*next)), course_command_name(), id));
  row("stuck?", fmt::format("{0} hint {1}, and {0} skip {1}", course_command_name(), id));
  return t.unicode ? out : to_ascii(out);
}

}  // namespace workbook
