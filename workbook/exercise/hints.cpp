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
  for (hint& h : hints) {
    while (h.text.ends_with('\n')) h.text.pop_back();
    if (h.text.empty())
      throw gs::error(fmt::format("the hint '{}'", h.heading), "it has no text", "write it, or take the heading out");
    if (std::ranges::count(hints, h.heading, &hint::heading) > 1)
      throw gs::error(fmt::format("the hint '{}'", h.heading), "two have this heading", "rename one");
  }
  return hints;
}

}  // namespace workbook
