// The terminal form of a type report: the source with the widenings marked.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "runtime/inspect/inspect.h"
#include "runtime/inspect/source_text.h"

namespace gs::inline GS_FLAVOUR {
namespace {

using inspecting::source_text;

template <class... Values>
void print(std::string& text, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
}

// Relative to where the reader stands, if it is below.
std::string shown_path(const std::string& file) {
  std::error_code ignored;
  const std::string relative = std::filesystem::proximate(file, ignored).string();
  return relative.empty() || relative.starts_with("..") ? file : relative;
}

std::string remark(const widening& w) {
  std::string text = fmt::format("float32 -> {}: {}", w.to, w.reason);
  if (!w.advice.empty()) text += "; " + w.advice;
  if (w.removed_by_compiler) text += " (g++ leaves this one out: the result is the same)";
  return text;
}

void print_line(std::string& text, const source_text& source, std::size_t line,
                const std::vector<const widening*>& marks) {
  const std::string_view code = source.line(line);
  print(text, "{:5} | {}\n", line, code);
  for (const widening* mark : marks) {
    if (mark->line != line) continue;
    std::string margin;  // tabs stay tabs, and a character of several bytes is one column
    for (std::size_t i = 0; i + 1 < mark->column && i < code.size(); ++i)
      if ((static_cast<unsigned char>(code[i]) & 0xC0) != 0x80) margin += code[i] == '\t' ? '\t' : ' ';
    const std::string underline(std::max<std::size_t>(1, mark->last_column + 1 - mark->column),
                                mark->is_explicit ? '-' : '^');
    const std::string told = remark(*mark);
    const bool fits = margin.size() + underline.size() + told.size() < 110;
    print(text, "      | {}{}{}{}\n", margin, underline, fits ? " " : "\n      |   ", told);
  }
}

// A signature over several lines starts above the brace that the compiler names: go up to the function's own name.
std::size_t heading_line(const specialisation& s, const source_text& source) {
  std::string name = s.function.substr(0, s.function.find_first_of("(<"));
  if (const std::size_t scope = name.rfind("::"); scope != name.npos) name = name.substr(scope + 2);
  if (const std::size_t blank = name.rfind(' '); blank != name.npos) name = name.substr(blank + 1);
  for (std::size_t line = s.first_line; line > 0 && line + 10 > s.first_line; --line)
    if (source.line(line).find(name) != std::string_view::npos) return line;
  return s.first_line;
}

void print_functions(std::string& text, const type_report& report) {
  for (const specialisation& s : report.specialisations) {
    print(text, "\n{}\n", s.text);
    if (!s.found) {
      print(text, "  its source was not seen\n");
      continue;
    }
    const source_text source(s.file);
    std::vector<const widening*> own;
    for (const widening& w : report.widenings)
      if (w.function == s.function && w.file == s.file) own.push_back(&w);
    print(text, "  {}\n", shown_path(s.file));
    for (std::size_t line = heading_line(s, source); line <= s.last_line; ++line) print_line(text, source, line, own);
  }
}

// What isn't in the ufunc's own functions is in one that they call.
void print_callees(std::string& text, const type_report& report) {
  const auto is_own = [&](const widening& w) {
    return std::any_of(report.specialisations.begin(), report.specialisations.end(),
                       [&](const specialisation& s) { return s.function == w.function && s.file == w.file; });
  };
  const widening* previous = nullptr;
  for (const widening& w : report.widenings) {
    if (is_own(w)) continue;
    if (!previous || previous->function != w.function || previous->file != w.file) {
      print(text, "\n{}", w.function);
      for (auto caller = w.called_from.rbegin(); caller != w.called_from.rend(); ++caller)
        print(text, ", called from {}", *caller);
      print(text, "\n  {}\n", shown_path(w.file));
    }
    std::vector<const widening*> marks;  // all of one line together, below one copy of it
    for (const widening& other : report.widenings)
      if (other.function == w.function && other.file == w.file && other.line == w.line) marks.push_back(&other);
    if (marks.front() == &w) print_line(text, source_text(w.file), w.line, marks);
    previous = &w;
  }
}

}  // namespace

std::string to_text(const type_report& report) {
  std::string text = "Compiled for:";
  for (const std::string& target : report.targets) print(text, " {}", target);
  text += "\n";
  print_functions(text, report);
  print_callees(text, report);

  const auto is_implicit = [](const widening& w) { return !w.is_explicit; };
  const auto implicit = std::count_if(report.widenings.begin(), report.widenings.end(), is_implicit);
  const auto written = std::ssize(report.widenings) - implicit;
  text += "\n";
  if (!report.complete) print(text, "Not everything was seen: {}.\n", report.reason);
  if (implicit > 0)
    print(text, "A float32 value is widened without being asked in {} place{}.\n", implicit, implicit == 1 ? "" : "s");
  if (written > 0) print(text, "It is widened by a cast in {} place{}.\n", written, written == 1 ? "" : "s");
  if (report.complete && report.widenings.empty()) text += "No float32 value is widened.\n";
  return text;
}

}  // namespace gs::inline GS_FLAVOUR
