#include "runtime/inspect/promotion_warnings.h"

#include <charconv>

namespace gs::inline GS_FLAVOUR::inspecting {
namespace {

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return line;
}

// "t.cpp:7:47" in front of ": warning: ".
bool read_position(std::string_view text, position& at) {
  const std::size_t column = text.rfind(':');
  if (column == text.npos || column == 0) return false;
  const std::size_t line = text.rfind(':', column - 1);
  if (line == text.npos) return false;
  at.file = text.substr(0, line);
  const auto number = [&](std::size_t first, std::size_t last, std::size_t& value) {
    return std::from_chars(text.data() + first, text.data() + last, value).ec == std::errc{};
  };
  return number(line + 1, column, at.line) && number(column + 1, text.size(), at.column);
}

// Below each quoted source line stands one that underlines the expression:
//     8 | float binary(float x) { return static_cast<float>(0.5 * x); }
//       |                                                   ~~~~^~~
void read_underlines(std::string_view& text, promotion_warning& warning) {
  std::size_t quoted_line = 0;
  bool first = true;
  while (!text.empty()) {
    std::string_view rest = text;
    const std::string_view line = take_line(rest);
    const std::size_t bar = line.find(" | ");
    const std::size_t visible = line.find_first_not_of(' ');
    if (bar == line.npos || visible == line.npos) return;
    text = rest;
    if (visible < bar) {  // a line number stands before the bar
      if (std::from_chars(line.data() + visible, line.data() + bar, quoted_line).ec != std::errc{}) return;
      continue;
    }
    const std::size_t margin = bar + 3;
    const std::size_t start = line.find_first_of("~^", margin), end = line.find_last_of("~^");
    if (start == line.npos) continue;
    if (first) warning.first = {warning.at.file, quoted_line, start - margin + 1};
    first = false;
    warning.last = {warning.at.file, quoted_line, end - margin + 1};
  }
}

}  // namespace

std::vector<promotion_warning> read_promotion_warnings(std::string_view text) {
  std::vector<promotion_warning> warnings;
  std::string context;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.ends_with(':') && line.find(": In ") != line.npos) context = line.substr(line.find(": In ") + 2);
    if (line.ends_with(": At global scope:")) context.clear();
    const std::size_t mark = line.find(": warning: ");
    if (mark == line.npos || line.find("[-Wdouble-promotion]") == line.npos || line.find("'float'") == line.npos)
      continue;
    promotion_warning warning;
    if (!read_position(line.substr(0, mark), warning.at)) continue;
    warning.context = context;
    warning.first = warning.last = warning.at;
    warning.conditional = line.find("other result of conditional") != line.npos;
    read_underlines(text, warning);
    warnings.push_back(std::move(warning));
  }
  return warnings;
}

std::string first_error(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.find("error: ") != line.npos) return std::string(line);
  }
  return "";
}

}  // namespace gs::inline GS_FLAVOUR::inspecting
