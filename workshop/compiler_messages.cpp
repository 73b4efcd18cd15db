#include "workshop/compiler_messages.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

namespace workshop {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void remove_all(std::string& text, const std::string& part) {
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at)) text.erase(at, part.size());
}

// gs's inline namespaces, of the plain build and of the observed one: nobody writes them.
void remove_inline_namespaces(std::string& text) {
  for (const std::string_view name : {"gs::plain::", "gs::checked::"})
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at))
      text.erase(at + 4, name.size() - 4);
}

// "NAME:LINE:COLUMN:" at the beginning of the line, or after "from ", as g++ lists includes; nvcc's own passes write
// "NAME(LINE):".
gs::source_place place_in(std::string_view line, const std::string& name) {
  const std::size_t at = std::min(line.find(name + ':'), line.find(name + '('));
  if (at == line.npos || (at > 0 && line[at - 1] != ' ' && line[at - 1] != '/')) return {};
  const char* next = line.data() + at + name.size() + 1;
  const char* const end = line.data() + line.size();
  unsigned numbers[2] = {};
  for (unsigned& number : numbers) {
    const auto [after, status] = std::from_chars(next, end, number);
    if (status != std::errc{}) break;
    next = after + (after < end && *after == ':');
  }
  return {numbers[0] ? name : "", numbers[0], numbers[1]};
}

bool is_error(std::string_view line) {
  return line.find(": error: ") != line.npos || line.find(": fatal error: ") != line.npos;
}

}  // namespace

std::string shortened(const std::string& messages, const std::filesystem::path& folder) {
  constexpr std::size_t most = 100;
  std::string text = messages;
  remove_all(text, folder.string() + "/");
  remove_all(text, std::string(GRIDSTRIDE_SOURCE_DIR) + "/");
  remove_inline_namespaces(text);
  const std::vector<std::string_view> lines = lines_of(text);
  std::string first_lines;
  for (std::size_t k = 0; k < std::min(lines.size(), most); ++k) first_lines.append(lines[k]).append("\n");
  if (lines.size() > most) first_lines += "... and " + std::to_string(lines.size() - most) + " more lines\n";
  return first_lines;
}

gs::source_place first_error(const std::string& messages, const std::string& name) {
  const std::vector<std::string_view> lines = lines_of(messages);
  const auto error = std::ranges::find_if(lines, is_error);
  if (error == lines.end()) return {};
  if (const gs::source_place here = place_in(*error, name); here.line) return here;
  // In a header: before the error, and sometimes after it, g++ says which of the learner's lines led there.
  for (auto line = std::make_reverse_iterator(error); line != lines.rend(); ++line)
    if (const gs::source_place here = place_in(*line, name); here.line) return here;
  for (auto line = error; line != lines.end(); ++line)
    if (const gs::source_place here = place_in(*line, name); here.line) return here;
  return {};
}

std::string first_error_text(const std::string& messages) {
  for (const std::string_view line : lines_of(messages))
    if (is_error(line)) {
      std::string text(line.substr(line.find("error: ") + 7));
      remove_inline_namespaces(text);
      return text;
    }
  return "";
}

}  // namespace workshop
