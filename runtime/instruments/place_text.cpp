#include "runtime/instruments/place_text.h"

#include <cctype>

#include "runtime/inspect/source_text.h"

namespace gs::inline GS_FLAVOUR {
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

// gs::atomic_ref(x[i]).fetch_add(1) is an access to x[i].
std::optional<span_of_text> access_at(const source_text& source, const source_place& place) {
  const auto offset = source.offset(place.line, place.column);
  const auto found = offset ? source.element_access(*offset) : std::nullopt;
  if (!found) return std::nullopt;
  for (const std::string_view atomic : {"gs::atomic_ref(", "atomic_ref("}) {
    if (!source.text(*found).starts_with(atomic)) continue;
    const auto arguments = source.arguments(found->begin + atomic.size() - 1);
    return arguments.empty() ? std::nullopt : source.element_access(arguments[0].end - 1);
  }
  return found;
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
  std::size_t column = made.column;
  if (column == 0) {  // found by its code: the statement that ends in this line, unless it goes on with what is made
    const std::string_view line = source.line(made.line);
    const std::size_t end = line.rfind(';');
    if (end == 0 || end == line.npos || line.find(").") != line.npos) return "";
    column = end;
  }
  const auto offset = source.offset(made.line, column);
  const auto name = offset ? source.declared_name(*offset) : std::nullopt;
  return name ? std::string(source.text(*name)) : "";
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
  if (source.text({open, open + 1}) == "[")
    parts.indices.push_back(in_one_line(source.text({open + 1, found->end - 1})));
  for (const span_of_text& index : source.arguments(open)) parts.indices.push_back(in_one_line(source.text(index)));
  return parts;
}

}  // namespace gs::inline GS_FLAVOUR
