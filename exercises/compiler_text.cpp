#include "exercises/compiler_text.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "workbook/catalogue.h"
#include "workbook/exercise/text_lines.h"

namespace exercises {
namespace {

constexpr std::size_t most_errors = 3, most_other_lines = 20;

void replace_all(std::string& text, const std::string& part, const std::string& by) {
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + by.size()))
    text.replace(at, part.size(), by);
}

bool has(std::string_view line, std::string_view part) { return line.find(part) != line.npos; }

bool is_error(std::string_view line) {
  return (has(line, ": error: ") || has(line, ": fatal error: ")) && !line.starts_with("collect2: ");
}
bool is_remark(std::string_view line) { return has(line, ": note: ") || has(line, ": warning: "); }

// What g++ says before an error that is in a template or a header.
bool is_context(std::string_view line) {
  return line.starts_with("In file included from ") || line.starts_with("                 from ") ||
         has(line, ": In ") || has(line, ": At global scope:") || has(line, "   required from ") ||
         has(line, "   in ‘constexpr’ expansion of ");
}

}  // namespace

std::string learner_messages(const std::string& messages, const std::filesystem::path& copy, const std::string& shown) {
  std::string text = messages;
  replace_all(text, copy.string(), shown);
  replace_all(text, workbook::course_root().string() + "/", "");
  const auto is_the_learners = [&](std::string_view line) { return line.starts_with(shown + ":"); };

  std::string kept, led_there;
  std::size_t errors = 0;
  bool keeps = false;  // the lines of source that follow
  for (const std::string_view line : workbook::lines_of(text)) {
    if (is_error(line)) {
      ++errors;
      keeps = errors <= most_errors && is_the_learners(line);
      if (errors <= most_errors) kept.append(led_there).append(line).append("\n");
      led_there.clear();
    } else if (is_remark(line)) {
      keeps = errors <= most_errors && errors > 0 && has(line, ": note: ") && is_the_learners(line);
      if (keeps) kept.append(line).append("\n");
    } else if (is_context(line)) {
      keeps = false;
      if (is_the_learners(line) && has(line, "required from here")) led_there.append(line).append("\n");
    } else if (keeps) {
      kept.append(line).append("\n");
    }
  }
  if (errors > most_errors) kept += fmt::format("... and {} more\n", errors - most_errors);
  if (errors > 0) return kept;
  std::size_t count = 0;
  for (const std::string_view line : workbook::lines_of(text))
    if (count++ < most_other_lines) kept.append(line).append("\n");
  return kept;
}

}  // namespace exercises
