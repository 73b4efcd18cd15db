#include "compiler/source_notes/written_text.h"

namespace source_notes {
namespace {

constexpr int lines_above = 12, lines_below = 6;

bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
bool closes(char c) { return c == ')' || c == ']' || c == '}'; }
bool is_in_name(char c) { return ISALNUM(c) || c == '_'; }

// An argument of a macro is written where the macro is used.
expanded_location written_place(location_t place) { return expand_location_to_spelling_point(place); }

// A line of a file without its end, line from 1; false: there is none.
char_span source_line(const char* file, int line) {
#if GCCPLUGIN_VERSION_MAJOR < 14
  return location_get_source_line(file, line);
#else
  return global_dc->get_file_cache().get_source_line(file, line);
#endif
}

}  // namespace

expanded_location shown_place(location_t place) {
  return expand_location(linemap_resolve_location(line_table, place, LRK_MACRO_EXPANSION_POINT, nullptr));
}

location_t begin_of(location_t expression) { return get_start(expression); }
location_t end_of(location_t expression) { return get_finish(expression); }
bool is_known(location_t place) { return LOCATION_LOCUS(place) > BUILTINS_LOCATION; }

written_text::written_text(location_t place) {
  if (!is_known(place)) return;
  const expanded_location at = written_place(place);
  if (!at.file) return;
  file_ = at.file;
  first_line_ = std::max(1, at.line - lines_above);
  for (int line = first_line_; line <= at.line + lines_below; ++line) {
    const std::size_t begin = text_.size();
    const char_span span = source_line(at.file, line);
    if (!span && line > at.line) break;
    if (span) text_.append(span.get_buffer(), span.length());
    text_ += '\n';
    if (const std::size_t comment = text_.find("//", begin); comment != nowhere)
      std::fill(text_.begin() + comment, text_.end() - 1, ' ');
  }
}

std::size_t written_text::at(location_t place) const {
  if (!is_known(place)) return nowhere;
  const expanded_location at = written_place(place);
  if (!at.file || file_ != at.file || at.line < first_line_ || at.column < 1) return nowhere;
  std::size_t begin = 0;
  for (int line = first_line_; line < at.line && begin != nowhere; ++line) {
    begin = text_.find('\n', begin);
    if (begin != nowhere) ++begin;
  }
  if (begin == nowhere || begin + at.column > text_.size()) return nowhere;
  return begin + at.column - 1;
}

std::size_t written_text::opening(std::size_t close) const {
  int depth = 0;
  for (std::size_t k = close + 1; k-- > 0;) {
    if (closes(text_[k])) ++depth;
    if (opens(text_[k]) && --depth == 0) return k;
  }
  return nowhere;
}

std::size_t written_text::closing(std::size_t open) const {
  int depth = 0;
  for (std::size_t k = open; k < text_.size(); ++k) {
    if (opens(text_[k])) ++depth;
    if (closes(text_[k]) && --depth == 0) return k;
  }
  return nowhere;
}

std::size_t written_text::before_blanks(std::size_t end, const char* blanks) const {
  while (end > 0 && strchr(blanks, text_[end - 1])) --end;
  return end;
}

std::size_t written_text::name_before(std::size_t end) const {
  std::size_t begin = before_blanks(end);
  const std::size_t name_end = begin;
  while (begin > 0 && is_in_name(text_[begin - 1])) --begin;
  return begin == name_end ? end : begin;
}

std::string written_text::between(std::size_t begin, std::size_t end) const {
  std::string line;
  for (std::size_t k = begin; k < end && k < text_.size(); ++k) {
    const bool is_blank = ISSPACE(text_[k]);
    if (!is_blank) line += text_[k];
    if (is_blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

std::vector<std::string> written_text::list_between(std::size_t begin, std::size_t end) const {
  std::vector<std::string> parts;
  for (std::size_t k = begin; k < end; ++k) {
    if (opens(text_[k])) {
      const std::size_t close = closing(k);
      if (close == nowhere || close >= end) break;
      k = close;
    } else if (text_[k] == ',') {
      parts.push_back(between(begin, k));
      begin = k + 1;
    }
  }
  parts.push_back(between(begin, end));
  return parts;
}

}  // namespace source_notes
