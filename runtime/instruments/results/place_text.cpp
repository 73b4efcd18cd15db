#include "runtime/instruments/results/place_text.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "runtime/inspect/source_text.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

using inspecting::source_text;
using inspecting::span_of_text;

// On one line: each run of blanks is one.
std::string in_one_line(std::string_view text) {
  std::string line;
  for (char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank) line += c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  return line;
}

// Whether what begins there is declared, as `at` in "const gs::detail::index at(i);", the index of an access elsewhere:
// a word stands in front of it, its type.
bool declares_an_index(const source_text& source, std::size_t begin) {
  const std::string_view before = source.text({0, begin});
  const std::size_t end = before.find_last_not_of(" \t\n\r") + 1;
  std::size_t start = end;
  while (start > 0 && (std::isalnum(static_cast<unsigned char>(before[start - 1])) != 0 || before[start - 1] == '_'))
    --start;
  constexpr std::string_view keywords[] = {"return", "else", "do", "case", "throw", "and", "or", "not", "co_return"};
  return start < end && end < begin &&
         std::ranges::find(keywords, before.substr(start, end - start)) == std::end(keywords);
}

// gs::atomic_ref(x[i]).fetch_add(1) is an access to x[i].
std::optional<span_of_text> access_at(const source_text& source, const source_place& place) {
  const auto offset = source.offset(place.line, place.column);
  const auto found = offset ? source.element_access(*offset) : std::nullopt;
  if (!found || declares_an_index(source, found->begin)) return std::nullopt;
  for (const std::string_view atomic : {"gs::atomic_ref(", "atomic_ref("}) {
    if (!source.text(*found).starts_with(atomic)) continue;
    const auto arguments = source.arguments(found->begin + atomic.size() - 1);
    return arguments.empty() ? std::nullopt : source.element_access(arguments[0].end - 1);
  }
  return found;
}

// The names in a line, unless it goes on with what is made.
std::vector<span_of_text> arrays_in(const source_text& source, unsigned line) {
  if (source.line(line).find(").") != std::string_view::npos) return {};
  return source.declared_names(line);
}

// Whether the access is a call of a function that makes it. The runtime's are functions, and arrays aren't qualified.
bool is_call(const source_text& source, std::string_view object) {
  if (object.find("::") != object.npos) return true;
  const std::size_t dot = object.find_last_of(".>");
  return source.defines_function(object.substr(dot == object.npos ? 0 : dot + 1));
}

// Long ones lose their end.
std::string at_most(std::size_t length, std::string text) {
  if (text.size() <= length) return text;
  length -= 3;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;  // whole characters
  return text.substr(0, length) + "...";
}

}  // namespace

std::string name_of_array(const source_place& made) {
  const source_text source(made.file);
  if (made.column == 0) {
    const std::vector<span_of_text> names = arrays_in(source, made.line);
    return names.size() == 1 ? std::string(source.text(names[0])) : "";
  }
  const auto offset = source.offset(made.line, made.column);
  const auto name = offset ? source.declared_name(*offset) : std::nullopt;
  return name ? std::string(source.text(*name)) : "";
}

std::vector<unsigned> columns_of_arrays(const source_place& line) {
  const source_text source(line.file);
  std::vector<unsigned> columns;
  for (const span_of_text& name : arrays_in(source, line.line))
    columns.push_back(static_cast<unsigned>(source.place(name.end).second));
  return columns;
}

std::string text_of_access(const source_place& access) {
  const source_text source(access.file);
  const auto found = access_at(source, access);
  return found ? at_most(60, in_one_line(source.text(*found))) : "";
}

access_text parts_of_access(const source_place& access) {
  const source_text source(access.file);
  const auto found = access_at(source, access);
  if (!found) return {};
  const std::size_t open = source.opening(found->end - 1).value();
  access_text parts{.object = in_one_line(source.text({found->begin, open})), .indices = {}};
  if (source.text({open, open + 1}) == "(" && is_call(source, parts.object)) return {};
  if (source.text({open, open + 1}) == "[")
    parts.indices.push_back(in_one_line(source.text({open + 1, found->end - 1})));
  for (const span_of_text& index : source.arguments(open)) parts.indices.push_back(in_one_line(source.text(index)));
  return parts;
}

}  // namespace gs::inline GS_FLAVOUR::detail
