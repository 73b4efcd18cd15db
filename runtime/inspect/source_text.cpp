#include "runtime/inspect/source_text.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <regex>

namespace gs::inline GS_FLAVOUR::inspecting {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
bool closes(char c) { return c == ')' || c == ']' || c == '}'; }

}  // namespace

source_text::source_text(const std::string& file) : line_starts_{0} {
  std::ifstream stream(file, std::ios::binary);
  text_.assign(std::istreambuf_iterator<char>(stream), {});
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
}

std::string_view source_text::line(std::size_t n) const {
  if (n == 0 || n > line_starts_.size()) return "";
  const std::size_t start = line_starts_[n - 1];
  std::string_view line = std::string_view(text_).substr(start);
  line = line.substr(0, line.find('\n'));
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

std::optional<std::size_t> source_text::offset(std::size_t line, std::size_t column) const {
  if (line == 0 || column == 0 || line > line_starts_.size()) return std::nullopt;
  const std::size_t found = line_starts_[line - 1] + column - 1;
  return found < text_.size() ? std::optional(found) : std::nullopt;
}

std::size_t source_text::byte_column(std::size_t line_number, std::size_t character_column) const {
  const std::string_view text = line(line_number);
  std::size_t byte = 0;
  for (std::size_t character = 1; character < character_column && byte < text.size(); ++character) {
    ++byte;
    while (byte < text.size() && (static_cast<unsigned char>(text[byte]) & 0xC0) == 0x80) ++byte;
  }
  return byte + 1;
}

std::pair<std::size_t, std::size_t> source_text::place(std::size_t offset) const {
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return {static_cast<std::size_t>(next - line_starts_.begin()), offset - *(next - 1) + 1};
}

span_of_text source_text::trimmed(span_of_text span) const {
  while (span.begin < span.end && is_blank(text_[span.begin])) ++span.begin;
  while (span.end > span.begin && is_blank(text_[span.end - 1])) --span.end;
  return span;
}

std::size_t source_text::skip_group(std::size_t open) const {
  const char c = text_[open];
  if (c == '"' || (c == '\'' && (open == 0 || !is_word(text_[open - 1])))) {  // 1'000 isn't a character
    std::size_t i = open + 1;
    while (i < text_.size() && text_[i] != c) i += text_[i] == '\\' ? 2 : 1;
    return std::min(i + 1, text_.size());
  }
  if (text_.compare(open, 2, "//") == 0) return std::min(text_.find('\n', open), text_.size());
  if (text_.compare(open, 2, "/*") == 0) {
    const std::size_t end = text_.find("*/", open + 2);
    return end == text_.npos ? text_.size() : end + 2;
  }
  if (!opens(c)) return open + 1;
  std::size_t i = open + 1;
  while (i < text_.size() && !closes(text_[i])) i = skip_group(i);
  return std::min(i + 1, text_.size());
}

std::vector<span_of_text> source_text::arguments(std::size_t open) const {
  std::vector<span_of_text> found;
  if (open >= text_.size() || (text_[open] != '(' && text_[open] != '{')) return found;
  std::size_t start = open + 1, i = start;
  for (; i < text_.size() && !closes(text_[i]); i = skip_group(i)) {
    if (text_[i] == ',') {
      found.push_back(trimmed({start, i}));
      start = i + 1;
    }
  }
  const span_of_text last = trimmed({start, std::min(i, text_.size())});
  if (last.begin < last.end || !found.empty()) found.push_back(last);
  return found;
}

span_of_text source_text::call(std::size_t open) const {
  if (open >= text_.size() || text_[open] != '(') return {open, std::min(open + 1, text_.size())};
  span_of_text span{open, skip_group(open)};
  while (span.begin > 0 && (is_word(text_[span.begin - 1]) || text_[span.begin - 1] == ':')) --span.begin;
  return span;
}

span_of_text source_text::expression(std::size_t begin) const {
  std::size_t i = begin;
  while (i < text_.size() && !closes(text_[i]) && text_[i] != ';' && text_[i] != ',') i = skip_group(i);
  return trimmed({begin, std::min(i, text_.size())});
}

std::optional<span_of_text> source_text::returned_expression(std::size_t offset) const {
  // Back to the start of the statement, then to the word.
  std::size_t start = std::min(offset, text_.size());
  while (start > 0 && text_[start - 1] != ';') --start;
  const std::size_t word = text_.rfind("return", offset);
  if (word == text_.npos || word < start || word + 6 >= text_.size() || is_word(text_[word + 6])) return std::nullopt;
  if (word > 0 && is_word(text_[word - 1])) return std::nullopt;
  return expression(word + 6);
}

std::optional<span_of_text> source_text::initializer(std::size_t start) const {
  std::size_t i = start;
  while (i < text_.size() && is_word(text_[i])) ++i;
  while (i < text_.size() && is_blank(text_[i])) ++i;
  if (i >= text_.size()) return std::nullopt;
  if (text_[i] == '=' && text_.compare(i, 2, "==") != 0) return expression(i + 1);
  const auto inside = i == start ? std::vector<span_of_text>{} : arguments(i);
  return inside.size() == 1 ? std::optional(inside[0]) : std::nullopt;
}

std::optional<std::size_t> written_cast(std::string_view expression, bool comes_from_call) {
  static const std::regex named(R"(static_cast\s*<[^()]*>\s*(?=\())");
  static const std::regex c_style(R"(\(\s*(const\s+)?[A-Za-z_][\w:<>]*(\s+double)?\s*\)\s*(?=[\w(.:]))");
  static const std::regex functional(R"((typename\s+)?[A-Za-z_:][\w:]*(<[^()]*>)?\s*(?=[({]))");
  const auto start_of = [&](const std::regex& pattern) {
    std::cmatch match;
    std::regex_search(expression.data(), expression.data() + expression.size(), match, pattern,
                      std::regex_constants::match_continuous);
    return match.empty() ? std::size_t{0} : static_cast<std::size_t>(match.length(0));
  };
  std::size_t end = start_of(named);
  if (end == 0) {
    end = start_of(c_style);
    if (end > 0)
      while (end < expression.size() && (is_word(expression[end]) || expression[end] == ':' || expression[end] == '.'))
        ++end;
    else if (!comes_from_call)
      end = start_of(functional);
    if (end == 0) return std::nullopt;
  }
  int depth = 0;  // what follows in brackets belongs to it
  for (; end < expression.size(); ++end) {
    if (depth == 0 && !opens(expression[end])) break;
    if (opens(expression[end])) ++depth;
    if (closes(expression[end])) --depth;
  }
  return end;
}

bool is_double_literal(std::string_view operand) {
  static const std::regex literal(
      R"([-+]?\s*((\d[\d']*)?\.\d[\d']*|\d[\d']*\.)([eE][-+]?\d+)?|[-+]?\s*\d+[eE][-+]?\d+)");
  return std::regex_match(operand.begin(), operand.end(), literal);
}

}  // namespace gs::inline GS_FLAVOUR::inspecting
