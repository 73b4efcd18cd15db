#include "exercises/learner_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "exercises/check_exercise.h"
#include "workbook/exercise/learner_folder.h"
#include "workbook/exercise/next_exercise.h"
#include "workbook/exercise/state_mark.h"
#include "workbook/exercise/text_lines.h"
#include "workbook/terminal/text_frame.h"
#include "workbook/terminal/text_layout.h"

namespace exercises {
namespace {

using workbook::catalogue_entry, workbook::exercise_state;

std::string fit(std::string text, const workbook::terminal& t) { return t.unicode ? text : workbook::to_ascii(text); }

std::string counts(const std::vector<catalogue_entry>& exercises, const workbook::progress& p) {
  std::size_t passed = 0, skipped = 0;
  for (const catalogue_entry& e : exercises) {
    passed += p.of(e.number).state == exercise_state::passed;
    skipped += p.of(e.number).state == exercise_state::skipped;
  }
  std::string text = fmt::format("{} of {} exercises passed", passed, exercises.size());
  if (skipped > 0) text += fmt::format(", {} skipped", skipped);
  return text + ".";
}

// Paragraphs are wrapped anew; code, lists and tables stay as they are.
std::string wrapped(const std::string& markdown, std::size_t width) {
  std::string out, paragraph;
  bool code = false;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) out += workbook::wrap(paragraph, width);
    paragraph.clear();
  };
  for (const std::string_view line : workbook::lines_of(markdown)) {
    const bool fence = line.starts_with("```");
    if (fence) code = !code;
    if (!code && !fence && !line.empty() && std::string_view(" -*|>#").find(line[0]) == std::string_view::npos) {
      paragraph.append(paragraph.empty() ? "" : " ").append(line);
      continue;
    }
    end_paragraph();
    if (!fence) out.append(code ? "    " : "").append(line).append("\n");
  }
  end_paragraph();
  return out;
}

}  // namespace

std::string to_text(const shown_hint& h, const workbook::terminal& t) {
  std::string out = workbook::in_bold(fmt::format("Hint {} of {}: {}", h.number, h.all, h.hint.heading), t) + "\n\n";
  out += wrapped(h.hint.text, std::min(t.width, workbook::widest_prose));
  if (!h.is_new)
    out += "\n" + workbook::wrap(
                      fmt::format("There is no other. The solution: ./gridstride solution {:02} --give-up", h.exercise),
                      std::min(t.width, workbook::widest_prose));
  return fit(out, t);
}

std::string to_text(const std::vector<shown_hint>& hints, const workbook::terminal& t) {
  std::string out;
  for (const shown_hint& one : hints) out += (out.empty() ? "" : "\n") + to_text(one, t);
  return out;
}

std::string progress_text(const std::vector<workbook::course_part>& course, const workbook::progress& p,
                          const workbook::terminal& t) {
  const std::vector<catalogue_entry> exercises = workbook::exercises_of(course);
  std::size_t names = 0;
  for (const catalogue_entry& e : exercises) names = std::max(names, workbook::display_width(e.name));
  std::string out;
  for (const catalogue_entry& e : exercises) {
    const workbook::exercise_progress one = p.of(e.number);
    std::string line =
        fmt::format("{} {:02} {}  {}", workbook::mark_of(one.state, t), e.number, workbook::pad_right(e.name, names),
                    one.state == exercise_state::untouched ? "" : fmt::format("{} {}", to_string(one.state), one.date));
    if (one.hints > 0) line += fmt::format(", {} hint{}", one.hints, one.hints == 1 ? "" : "s");
    while (line.ends_with(' ')) line.pop_back();
    out += line + "\n";
  }
  return fit(out + "\n" + counts(exercises, p) + "\n", t);
}

std::string next_text(const std::vector<workbook::course_part>& course, const workbook::progress& p,
                      const workbook::terminal& t) {
  const std::vector<catalogue_entry> exercises = workbook::exercises_of(course);
  const catalogue_entry* next = workbook::next_exercise(exercises, p);
  std::string out = counts(exercises, p) + "\n\n";
  if (!next) {
    out += "None is left. The assessments are without a solution beside them: ./gridstride grade\n";
    return fit(out, t);
  }
  const std::vector<catalogue_entry> lessons = workbook::lessons_before(course, *next);
  const bool started = p.of(next->number).state == exercise_state::started;
  out += workbook::in_bold(fmt::format("{} {:02} {}", started ? "You are at" : "Next comes", next->number, next->name),
                           t) +
         "  " + next->title + "\n\n";
  const auto row = [&](std::string_view what, const std::string& how) {
    out += fmt::format("  {:<7} {}\n", what, how);
  };
  if (!started && lessons.size() > 1) {
    std::string before;
    for (std::size_t k = 0; k + 1 < lessons.size(); ++k)
      before += fmt::format("{}{:02} {}", k ? ", " : "", lessons[k].number, lessons[k].name);
    row("before", before);
  }
  row("read", shown_path(workbook::course_root() / "lessons" / next->program() / "README.md"));
  row("run", fmt::format("./gridstride run {:02}", next->number));
  row("write", fmt::format("{}, with ./gridstride watch {:02} beside it", shown_path(workbook::learner_file(*next)),
                           next->number));
  row("stuck?", fmt::format("./gridstride hint {0:02}, and ./gridstride skip {0:02}", next->number));
  return fit(out, t);
}

}  // namespace exercises
