#include "exercises/explain/nvcc_text.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <vector>

#include "workbook/exercise/nvcc_message.h"
#include "workbook/exercise/text_lines.h"

namespace exercises {
namespace {

// "... instantiation of "f" at line 12 of FILE": 12; 0 for other lines and files.
unsigned line_that_led_there(std::string_view line, std::string_view file) {
  constexpr std::string_view introduction = " at line ";
  const std::size_t at = line.rfind(introduction);
  if (at == line.npos || !line.ends_with(file)) return 0;
  unsigned number = 0;
  std::from_chars(line.data() + at + introduction.size(), line.data() + line.size(), number);
  return number;
}

}  // namespace

std::string nvcc_as_gcc(const std::string& messages, const std::string& file, const std::string& source) {
  const auto of_source = workbook::lines_of(source), lines = workbook::lines_of(messages);
  std::string text;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const auto m = workbook::read_nvcc_message(lines[k]);
    if (!m) {
      if (lines[k].find(" detected in the compilation of ") == lines[k].npos && !lines[k].starts_with("Remark: "))
        text.append(lines[k]).append("\n");
      continue;
    }
    const bool is_the_learners = m->file == file;
    for (; k + 1 < lines.size() && lines[k + 1].starts_with(' '); ++k)
      if (const unsigned line = is_the_learners ? 0 : line_that_led_there(lines[k + 1], file))
        text += fmt::format("{}:{}:   required from here\n", file, line);
    // "error #20011-D: ...": nobody looks the number up.
    text += fmt::format("{}:{}: {}: {}\n", m->file, m->line, m->error ? "error" : "warning", m->text);
    if (const auto number = static_cast<std::size_t>(m->line);
        is_the_learners && m->line > 0 && number <= of_source.size())
      text += fmt::format("{:5} | {}\n", number, of_source[number - 1]);
  }
  return text;
}

}  // namespace exercises
