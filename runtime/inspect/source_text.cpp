#include "runtime/inspect/source_text.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace gs::inline GS_FLAVOUR::inspecting {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
bool closes(char c) { return c == ')' || c == ']' || c == '}'; }

template <class Predicate>
std::size_t leading(std::string_view text, Predicate holds) {
  std::size_t length = 0;
  while (length < text.size() && holds(text[length])) ++length;
  return length;
}

// "<std::vector<double>>": its length, 0 if `text` doesn't start with a template's arguments.
std::size_t angle_brackets(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size() && (i == 0 ? text[0] == '<' : !opens(text[i])); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>' && --depth == 0) return i + 1;
  }
  return 0;
}

// `end` and the blanks behind it, if one of `brackets` follows; else 0.
std::size_t before_bracket(std::string_view text, std::size_t end, std::string_view brackets) {
  end += leading(text.substr(end), is_blank);
  return end < text.size() && brackets.find(text[end]) != brackets.npos ? end : 0;
}

// The next three: the length of what stands before a cast's value, 0 if there is no such cast.
// static_cast<double>(...)
std::size_t named_cast_type(std::string_view text) {
  constexpr std::string_view word = "static_cast";
  if (!text.starts_with(word)) return 0;
  std::size_t end = word.size() + leading(text.substr(word.size()), is_blank);
  const std::size_t type = angle_brackets(text.substr(end));
  return type == 0 ? 0 : before_bracket(text, end + type, "(");
}

// (double)...
std::size_t bracketed_type(std::string_view text) {
  if (!text.starts_with('(')) return 0;
  std::size_t end =
      1 + leading(text.substr(1), [](char c) { return is_word(c) || is_blank(c) || c == ':' || c == '<' || c == '>'; });
  const std::string_view type = text.substr(1, end - 1);
  if (type.empty() || std::isdigit(static_cast<unsigned char>(type[0])) != 0) return 0;
  if (end >= text.size() || text[end] != ')') return 0;
  ++end;
  end += leading(text.substr(end), is_blank);
  return end < text.size() && (is_word(text[end]) || text[end] == '(' || text[end] == '.' || text[end] == ':') ? end
                                                                                                               : 0;
}

// Is the type of such a cast float?
bool names_float(std::string_view cast) {
  const std::size_t found = cast.rfind("float");
  return found != cast.npos && cast.find_first_not_of("> )\t\n", found + 5) == cast.npos &&
         (found == 0 || !is_word(cast[found - 1]));
}

// double(...), real{...}
std::size_t called_type(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) != 0) return 0;
  const std::size_t end = leading(text, [](char c) { return is_word(c) || c == ':'; });
  return end == 0 ? 0 : before_bracket(text, end + angle_brackets(text.substr(end)), "({");
}

}  // namespace

source_text::source_text(const std::string& file) : line_starts_{0} {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) return;  // a folder opens, too, and can't be read
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

std::vector<std::size_t> source_text::nested_calls(std::size_t open) const {
  std::vector<std::size_t> calls;
  const auto inside = arguments(open);
  for (auto argument = inside.rbegin(); argument != inside.rend(); ++argument) {
    if (named_cast_type(text(*argument)) > 0) continue;
    const std::size_t bracket = argument->begin + called_type(text(*argument));
    if (bracket == argument->begin || text_[bracket] != '(' || skip_group(bracket) != argument->end) continue;
    const auto deeper = nested_calls(bracket);
    calls.insert(calls.end(), deeper.begin(), deeper.end());
  }
  calls.push_back(open);
  return calls;
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

std::optional<span_of_text> source_text::initializer(std::string_view name, std::size_t offset) const {
  if (name.empty() || offset >= text_.size()) return std::nullopt;
  const std::size_t before = offset == 0 ? text_.npos : text_.rfind(';', offset - 1);
  const std::size_t start = before == text_.npos ? 0 : before + 1;
  for (std::size_t found = text_.rfind(name, offset); found != text_.npos && found >= start;
       found = found == 0 ? text_.npos : text_.rfind(name, found - 1)) {
    std::size_t next = found + name.size();
    if ((found > 0 && is_word(text_[found - 1])) || (next < text_.size() && is_word(text_[next]))) continue;
    next += leading(std::string_view(text_).substr(next), is_blank);
    if (next >= text_.size()) continue;
    if (text_[next] == '=' && text_.compare(next, 2, "==") != 0) return expression(next + 1);
    if (const auto inside = arguments(next); inside.size() == 1) return inside[0];
  }
  return std::nullopt;
}

std::optional<std::size_t> written_cast(std::string_view expression, bool comes_from_call) {
  std::size_t end = named_cast_type(expression);
  if (end == 0) {
    end = bracketed_type(expression);
    if (end == 0 && !comes_from_call) end = called_type(expression);
    if (end == 0) return std::nullopt;
  }
  if (names_float(expression.substr(0, end))) return std::nullopt;
  end += leading(expression.substr(end), [](char c) { return is_word(c) || c == ':' || c == '.'; });
  int depth = 0;  // what follows in brackets belongs to it
  for (; end < expression.size(); ++end) {
    if (depth == 0 && !opens(expression[end])) break;
    if (opens(expression[end])) ++depth;
    if (closes(expression[end])) --depth;
  }
  return end;
}

bool is_double_literal(std::string_view operand) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '\''; };
  const auto drop = [&](std::size_t count) { operand.remove_prefix(count); };
  if (operand.starts_with('-') || operand.starts_with('+')) drop(1);
  drop(leading(operand, is_blank));
  std::size_t digits = leading(operand, digit);
  drop(digits);
  const bool has_point = operand.starts_with('.');
  if (has_point) {
    drop(1);
    digits += leading(operand, digit);
    drop(leading(operand, digit));
  }
  const bool has_exponent = operand.starts_with('e') || operand.starts_with('E');
  if (has_exponent) {
    drop(1);
    if (operand.starts_with('-') || operand.starts_with('+')) drop(1);
    if (leading(operand, digit) == 0) return false;
    drop(leading(operand, digit));
  }
  return digits > 0 && (has_point || has_exponent) && operand.empty();
}

}  // namespace gs::inline GS_FLAVOUR::inspecting
