#include "assessments/grader/verdict/verdict_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/core/printable.h"
#include "workbook/command_name.h"
#include "workbook/number_text.h"
#include "workbook/terminal/text_frame.h"
#include "workbook/terminal/text_layout.h"

namespace grader {

using gs::detail::printable;
namespace {

using workbook::dimmed, workbook::in_bold, workbook::in_colour, workbook::pad_left, workbook::pad_right, workbook::wrap;

constexpr workbook::colour bad{215, 0, 0}, good{0, 175, 95}, middling{215, 135, 0};
constexpr std::size_t widest_prose = 100, most_output_lines = 20;

std::string mark(criterion_state s, const workbook::terminal& t) {
  switch (s) {
    case criterion_state::passed:
      return in_colour("✓", good, t);
    case criterion_state::partly:
      return in_colour("◐", middling, t);
    case criterion_state::failed:
      return in_colour("✗", bad, t);
    case criterion_state::not_run:
      break;
  }
  return dimmed("–", t);
}

std::string points(double v) { return workbook::significant(v, 4); }

std::string place_text(const gs::source_place& place) {
  std::string text = fmt::format("{}:{}", printable(place.file), place.line);
  return place.column > 0 ? text + fmt::format(":{}", place.column) : text;
}

bool says_the_same(const mishap& a, const mishap& b) {
  return a.kind == b.kind && a.text == b.text && a.details == b.details && a.place == b.place &&
         a.other_place == b.other_place;
}

// Lines that keep their shape: they hold source.
std::string indented(const std::string& text) {
  std::string out;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    out += "    " + text.substr(start, end - start) + "\n";
    start = end + 1;
  }
  return out;
}

class verdict_writer {
 public:
  verdict_writer(const verdict& v, const workbook::terminal& t)
      : v_(v), terminal_(t), width_(std::min(t.width, widest_prose)) {}

  void head() {
    out_ += in_bold(fmt::format("{} {}", v_.task_id, v_.task_name), terminal_) + "  " + v_.task_title + "\n";
    out_ += printable(v_.file) + "\n\n";
  }

  void criteria() {
    std::size_t titles = 0, scores = 0;
    for (const criterion_result& r : v_.criteria) {
      titles = std::max(titles, workbook::display_width(r.title));
      scores = std::max(scores, score(r).size());
    }
    for (const criterion_result& r : v_.criteria) {
      out_ += "  " + mark(r.state, terminal_) + " " + pad_right(r.title, titles) + "  " + pad_left(score(r), scores);
      const std::size_t used = 4 + titles + 2 + scores + 2;
      const std::string summary = r.summary.empty() ? "not run" : r.summary;
      // What was found stands beside the points, or below where the window is narrow.
      if (used + workbook::display_width(summary) <= terminal_.width)
        out_ += "  " + dimmed(summary, terminal_) + "\n";
      else
        out_ += "\n" + wrap(summary, width_, 4);
    }
    out_ += "\n";
  }

  void mishaps() {
    for (std::size_t k = 0; k < v_.mishaps.size();) {
      const mishap& m = v_.mishaps[k];
      // The same mishap in other calls is shown once.
      std::string calls = m.call;
      while (++k < v_.mishaps.size() && says_the_same(v_.mishaps[k], m)) calls += "; at " + v_.mishaps[k].call;
      std::string places;
      if (m.place.line > 0) places = place_text(m.place);
      if (m.other_place.line > 0 && m.other_place != m.place) places += " and " + place_text(m.other_place);
      out_ += in_colour(to_string(m.kind), bad, terminal_);
      if (!places.empty()) out_ += "  " + in_bold(places, terminal_);
      out_ += "\n";
      if (!calls.empty()) out_ += wrap(dimmed("at " + calls, terminal_), width_, 2);
      if (!m.text.empty()) out_ += wrap(m.text, width_, 2);
      if (!m.details.empty()) out_ += indented(m.details);
      out_ += "\n";
    }
  }

  void notes() {
    for (const std::string& note : v_.notes) out_ += wrap("Note: " + note + ".", width_);
    if (!v_.notes.empty()) out_ += "\n";
  }

  void output() {
    if (v_.passed || v_.output.empty()) return;
    out_ += dimmed("It printed:", terminal_) + "\n";
    std::size_t lines = 0, start = 0;
    for (; start < v_.output.size() && lines < most_output_lines; ++lines) {
      const std::size_t end = std::min(v_.output.find('\n', start), v_.output.size());
      out_ += "  | " + workbook::cut(v_.output.substr(start, end - start), width_ - 4) + "\n";
      start = end + 1;
    }
    if (start < v_.output.size()) out_ += dimmed("  | and more; --json has it", terminal_) + "\n";
    out_ += "\n";
  }

  void outcome() {
    const std::string score = points_text(v_.points, v_.possible);
    std::string text = v_.passed ? in_colour("Passed", good, terminal_) : in_colour("Not passed", bad, terminal_);
    text += ": " + in_bold(score, terminal_);
    std::vector<std::string> missing;
    for (const criterion_result& r : v_.criteria)
      if (r.required && r.state != criterion_state::passed) missing.push_back("\"" + r.title + "\"");
    if (did_not_compile())
      text += "; nothing ran, so nothing is lost";
    else if (!missing.empty())
      text += fmt::format("; {} must be passed", fmt::join(missing, " and "));
    out_ += wrap(text, width_);
    const bool isolated = v_.isolation != "not isolated";
    std::vector<std::string> facts;
    if (!v_.isolation.empty())
      facts.push_back(isolated ? "isolation: " + v_.isolation : in_colour("NOT ISOLATED", bad, terminal_));
    facts.insert(facts.end(), {v_.device, fmt::format("seed {}", v_.seed)});
    out_ += wrap(fmt::format("{}", fmt::join(facts, " · ")), width_);
    double total = 0;
    std::vector<std::string> times;
    for (const stage_time& s : v_.times) {
      total += s.seconds;
      times.push_back(fmt::format("{} {:.1f} s", s.stage, s.seconds));
    }
    if (!times.empty()) out_ += wrap(fmt::format("{:.1f} s: {}", total, fmt::join(times, ", ")), width_);
  }

  std::string text() const { return terminal_.unicode ? out_ : workbook::to_ascii(out_); }

 private:
  static std::string score(const criterion_result& r) {
    return fmt::format("{} / {}", points(r.points), points(r.possible));
  }
  bool did_not_compile() const {
    return std::ranges::any_of(v_.mishaps, [](const mishap& m) {
      return m.kind == mishap_kind::compile_error || m.kind == mishap_kind::missing_function;
    });
  }

  const verdict& v_;
  const workbook::terminal& terminal_;
  std::size_t width_;
  std::string out_;
};

}  // namespace

std::string points_text(double reached, double possible) {
  return fmt::format("{} of {} points", points(reached), points(possible));
}

std::string headline(const mishap& m) {
  std::string text = to_string(m.kind);
  if (m.place.line > 0) text += fmt::format(" at line {}", m.place.line);
  if (m.other_place.line > 0) text += fmt::format(" and {}", m.other_place.line);
  if (!m.call.empty()) text += ", " + m.call;
  return m.text.empty() ? text : text + ": " + m.text;
}

std::string to_text(const verdict& v, const workbook::terminal& t) {
  verdict_writer writer(v, t);
  writer.head();
  writer.criteria();
  writer.mishaps();
  writer.notes();
  writer.output();
  writer.outcome();
  return writer.text();
}

std::string tasks_text(const std::vector<task>& tasks, const workbook::terminal& t) {
  std::string out;
  for (const task& entry : tasks) {
    const std::string folder = "assessments/" + entry.folder.filename().string(), mine = "my/" + entry.name + ".cpp";
    out += in_bold(fmt::format("{} {}", entry.id, entry.name), t) + "  " + entry.title + "\n";
    out += fmt::format("  read   {}/README.md\n", folder);
    out += fmt::format("  begin  mkdir -p my && cp -n {}/starter.cpp {}\n", folder, mine);
    out += fmt::format("  grade  {} grade {} {}\n\n", workbook::course_command_name(), entry.id, mine);
  }
  out +=
      wrap(fmt::format(
               "Hidden cases have other inputs in every run; you may grade as often as you like. A folder instead of a "
               "file grades all submissions in it: {} grade A2 submissions/",
               workbook::course_command_name()),
           std::min(t.width, widest_prose));
  return t.unicode ? out : workbook::to_ascii(out);
}

}  // namespace grader
