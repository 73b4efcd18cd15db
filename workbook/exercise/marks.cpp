#include "workbook/exercise/marks.h"

#include <fmt/format.h>

#include "runtime/core/error.h"
#include "workbook/exercise/text_lines.h"

namespace workbook {
namespace {

constexpr std::string_view begin_mark = "// Your turn", end_mark = "// Until here", starter_mark = "//=";

enum class version { starter, solution };

// "    //= return x;" -> "    return x;". An empty line has no blanks.
std::string uncommented(std::string_view line, std::string_view indent) {
  std::string_view code = line.substr(indent.size() + starter_mark.size());
  if (code.starts_with(' ')) code.remove_prefix(1);
  return code.empty() ? "" : std::string(indent) + std::string(code);
}

std::string version_of(std::string_view solution, version version_to_keep) {
  std::string out, inside_solution, inside_starter;
  std::size_t number = 0, begun = 0, places = 0;
  const auto refuse = [&](std::size_t line, const std::string& found, const std::string& advice) {
    throw gs::error(fmt::format("the marks of an exercise, line {}", line), found, advice);
  };
  for (const std::string_view line : lines_of(solution)) {
    ++number;
    const std::string_view indent = line.substr(0, std::min(line.find_first_not_of(' '), line.size()));
    const std::string_view text = line.substr(indent.size());
    if (text.starts_with(begin_mark)) {
      if (begun) refuse(number, fmt::format("the place of line {} isn't closed", begun), "close it: // Until here.");
      begun = number;
      ++places;
      inside_solution.clear();
      inside_starter.clear();
    } else if (text.starts_with(end_mark)) {
      if (!begun) refuse(number, "no place is open", "open it: // Your turn.");
      if (inside_solution == inside_starter)
        refuse(begun, "solution and starter are the same here", "write the starter's lines after //=");
      out += version_to_keep == version::starter ? inside_starter : inside_solution;
      begun = 0;
    } else if (text.starts_with(starter_mark)) {
      if (!begun) refuse(number, "//= stands outside of the marks", "move it between // Your turn. and // Until here.");
      inside_starter += uncommented(line, indent) + "\n";
      continue;
    } else if (begun) {
      inside_solution.append(line).append("\n");
      continue;
    }
    out.append(line).append("\n");
  }
  if (begun) refuse(begun, "the place isn't closed", "close it: // Until here.");
  if (places == 0) refuse(number, "there are none", "mark what is to be filled in: // Your turn. ... // Until here.");
  return out;
}

}  // namespace

std::string starter_of(std::string_view solution) { return version_of(solution, version::starter); }
std::string shown_solution(std::string_view solution) { return version_of(solution, version::solution); }

}  // namespace workbook
