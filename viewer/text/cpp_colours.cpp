#include "viewer/text/cpp_colours.h"

#include <algorithm>
#include <array>

namespace viewer {
namespace {

constexpr std::array keywords{
    "alignas",   "auto",     "bool",      "break",   "case",     "char",     "class",       "const",    "consteval",
    "constexpr", "continue", "decltype",  "default", "delete",   "do",       "double",      "else",     "enum",
    "explicit",  "extern",   "false",     "float",   "for",      "friend",   "if",          "inline",   "int",
    "long",      "mutable",  "namespace", "new",     "noexcept", "nullptr",  "operator",    "private",  "public",
    "requires",  "return",   "short",     "signed",  "sizeof",   "static",   "static_cast", "struct",   "switch",
    "template",  "this",     "throw",     "true",    "try",      "typename", "union",       "unsigned", "using",
    "virtual",   "void",     "volatile",  "while",   "GS_FN",    "catch",    "concept"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_keyword(std::string_view word) { return std::ranges::find(keywords, word) != keywords.end(); }

// Where a text or character that begins at `at` ends; at the line's end if it isn't closed.
std::size_t end_of_text(std::string_view line, std::size_t at) {
  const char quote = line[at];
  for (std::size_t k = at + 1; k < line.size(); ++k) {
    if (line[k] == '\\')
      ++k;
    else if (line[k] == quote)
      return k + 1;
  }
  return line.size();
}

}  // namespace

std::vector<cpp_span> cpp_spans(std::string_view line, bool& in_comment) {
  std::vector<cpp_span> spans;
  const auto add = [&](std::size_t begin, std::size_t end, cpp_part part) {
    if (end == begin) return;
    if (!spans.empty() && spans.back().part == part)
      spans.back().size += end - begin;
    else
      spans.push_back({begin, end - begin, part});
  };
  const std::size_t first = line.find_first_not_of(' ');
  const bool directive = !in_comment && first != line.npos && line[first] == '#';
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at + 1;
    cpp_part part = directive ? cpp_part::directive : cpp_part::plain;
    const std::string_view left = line.substr(at);
    if (in_comment || left.starts_with("/*")) {
      const std::size_t close = line.find("*/", in_comment ? at : at + 2);
      in_comment = close == line.npos;
      end = in_comment ? line.size() : close + 2;
      part = cpp_part::comment;
    } else if (left.starts_with("//")) {
      end = line.size();
      part = cpp_part::comment;
    } else if (left[0] == '"' || left[0] == '\'') {
      end = end_of_text(line, at);
      part = cpp_part::text;
    } else if (is_digit(left[0])) {
      // 1'000'000, 0x1p-3, 1.5e+3f: a sign belongs to it after an exponent.
      while (end < line.size() &&
             (is_letter(line[end]) || is_digit(line[end]) || line[end] == '.' || line[end] == '\'' ||
              ((line[end] == '+' || line[end] == '-') &&
               (line[end - 1] == 'e' || line[end - 1] == 'E' || line[end - 1] == 'p'))))
        ++end;
      part = cpp_part::number;
    } else if (is_letter(left[0])) {
      while (end < line.size() && (is_letter(line[end]) || is_digit(line[end]))) ++end;
      if (!directive && is_keyword(line.substr(at, end - at))) part = cpp_part::keyword;
    }
    add(at, end, part);
    at = end;
  }
  return spans;
}

}  // namespace viewer
