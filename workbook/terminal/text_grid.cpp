#include "workbook/terminal/text_grid.h"

#include <algorithm>

#include "workbook/terminal/text_frame.h"
#include "workbook/terminal/text_layout.h"

namespace workbook {

std::string to_text(const text_grid& g, const terminal& t) {
  std::vector<std::size_t> widths;
  for (const std::string& h : g.head) widths.push_back(display_width(h));
  for (const auto& line : g.lines)
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], display_width(line[c]));
  const auto joined = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t c = 0; c < cells.size(); ++c)
      text += (c > 0 ? "  " : "") + (g.right[c] ? pad_left(cells[c], widths[c]) : pad_right(cells[c], widths[c]));
    while (text.ends_with(' ')) text.pop_back();
    return (t.interactive ? cut(text, t.width) : text) + "\n";
  };
  std::string out = g.title.empty() ? "" : in_bold(g.title, t) + "\n";
  out += joined(g.head);
  std::vector<std::string> rules;
  for (std::size_t w : widths) {
    std::string& rule = rules.emplace_back();
    for (std::size_t k = 0; k < w; ++k) rule += "─";
  }
  out += joined(rules);
  for (const auto& line : g.lines) out += joined(line);
  return out;
}

}  // namespace workbook
