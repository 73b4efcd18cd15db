#include "exercises/learner_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "workbook/command_name.h"
#include "workbook/exercise/next_exercise.h"
#include "workbook/exercise/next_text.h"
#include "workbook/exercise/state_mark.h"
#include "workbook/exercise/text_lines.h"
#include "workbook/terminal/text_frame.h"
#include "workbook/terminal/text_layout.h"

namespace exercises {
namespace {

using workbook::catalogue_exercise, workbook::exercise_state;

std::string fit(const std::string& text, const workbook::terminal& t) {
  return t.unicode ? text : workbook::to_ascii(text);
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
  std::string out = workbook::in_bold(fmt::format("Hint {} of {}: {}", h.number, h.count, h.hint.heading), t) + "\n\n";
  out += wrapped(h.hint.text, std::min(t.width, workbook::widest_prose));
  if (!h.is_new)
    out += "\n" + workbook::wrap(fmt::format("There is no other. The solution: {} solution {} --give-up",
                                             workbook::course_command_name(), to_string(h.exercise)),
                                 std::min(t.width, workbook::widest_prose));
  return fit(out, t);
}

std::string to_text(const std::vector<shown_hint>& hints, const workbook::terminal& t) {
  std::string out;
  for (const shown_hint& hint : hints) out += (out.empty() ? "" : "\n") + to_text(hint, t);
  return out;
}

std::string progress_text(const std::vector<workbook::course_part>& course, const workbook::progress& p,
                          const workbook::terminal& t) {
  const std::vector<catalogue_exercise> exercises = workbook::exercises_of(course);
  std::size_t numbers = 0, names = 0;
  for (const catalogue_exercise& e : exercises) {
    numbers = std::max(numbers, to_string(e.id()).size());
    names = std::max(names, workbook::display_width(e.name));
  }
  std::string out;
  for (const catalogue_exercise& e : exercises) {
    const workbook::exercise_progress progress = p.of(e.id());
    std::string line = fmt::format("{} {} {}  {}", workbook::mark_of(progress.state, t),
                                   workbook::pad_right(to_string(e.id()), numbers), workbook::pad_right(e.name, names),
                                   progress.state == exercise_state::untouched
                                       ? ""
                                       : fmt::format("{} {}", to_string(progress.state), progress.date));
    if (progress.hints > 0) line += fmt::format(", {} hint{}", progress.hints, progress.hints == 1 ? "" : "s");
    while (line.ends_with(' ')) line.pop_back();
    out += line + "\n";
  }
  return fit(out + "\n" + workbook::passed_text(exercises, p) + "\n", t);
}

}  // namespace exercises
