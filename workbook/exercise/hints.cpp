#include "workbook/exercise/hints.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/core/error.h"
#include "workbook/exercise/text_lines.h"

namespace workbook {

std::vector<hint> read_hints(std::string_view markdown) {
  std::vector<hint> hints;
  bool code = false;
  for (const std::string_view line : lines_of(markdown)) {
    if (line.starts_with("```")) code = !code;
    if (line.starts_with("## ") && !code)
      hints.push_back({.heading = std::string(line.substr(3)), .text = ""});
    else if (!hints.empty() && !(hints.back().text.empty() && line.empty()))
      hints.back().text.append(line).append("\n");
  }
  if (hints.empty()) throw gs::error("reading hints", "there are none", "write each under a heading: ## Heading");
  for (hint& one : hints) {
    while (one.text.ends_with('\n')) one.text.pop_back();
    if (one.text.empty())
      throw gs::error(fmt::format("the hint '{}'", one.heading), "it has no text", "write it, or take the heading out");
    if (std::ranges::count(hints, one.heading, &hint::heading) > 1)
      throw gs::error(fmt::format("the hint '{}'", one.heading), "two have this heading", "rename one");
  }
  return hints;
}

}  // namespace workbook
