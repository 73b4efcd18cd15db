// A timeline in characters.

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "workbook/plot_kinds/timeline_scales.h"
#include "workbook/terminal/text_frame.h"
#include "workbook/terminal/text_layout.h"

namespace workbook {
namespace {

// Without colours, groups are told apart by characters.
std::string glyph_of(std::size_t group, const terminal& t) {
  static constexpr std::array<const char*, 7> shades{"▓", "░", "█", "▒", "▞", "▚", "▟"};
  static constexpr std::array<const char*, 7> letters{">", "<", "#", ".", "+", "x", "o"};
  if (t.colours != colour_depth::none && t.unicode) return in_colour("█", series_colour(group), t);
  return in_colour(t.unicode ? shades[group % shades.size()] : letters[group % letters.size()], series_colour(group),
                   t);
}

}  // namespace

std::string timeline::to_text(const terminal& t) const {
  const scale x = time_scale_of(*this), y = row_scale_of(*this);
  text_frame f;
  f.title = title;
  f.x = &x;
  f.y = &y;
  const std::size_t most = std::min(t.width, widest_plot) / 3;
  for (std::size_t r = 0; r < rows.size(); ++r)
    f.y_ticks.ticks.push_back({static_cast<double>(r) + 0.5, cut(rows[r], most)});
  f.columns = columns_beside(margin_of(f.y_ticks), t);
  f.x_ticks = ticks_for(x, std::max(2, f.columns / 12));
  f.x_title = axis_title(time, f.x_ticks.exponent);
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (!groups[g].empty()) f.legend.push_back(glyph_of(g, t) + " " + groups[g]);
  const auto columns = static_cast<std::size_t>(f.columns);
  std::vector<std::vector<std::optional<std::size_t>>> cells(rows.size());
  for (auto& row : cells) row.resize(columns);
  for (const timeline_bar& b : bars) {
    if (!std::isfinite(x(b.start)) || !std::isfinite(x(b.stop))) continue;
    const auto column = [&](double at) { return std::clamp(x(at), 0.0, 1.0) * f.columns; };
    // A character shows what fills it at its middle; the shortest bar has one at least.
    auto first = static_cast<std::size_t>(std::lround(column(b.start)));
    const auto end = static_cast<std::size_t>(std::lround(column(b.stop)));
    first = std::min(first, columns - 1);
    for (std::size_t c = first; c < std::max(end, first + 1); ++c)
      if (end > first || !cells[b.row][c]) cells[b.row][c] = b.group;
  }
  for (const auto& row : cells) {
    std::string& line = f.rows.emplace_back();
    for (const auto& group : row) line += group ? glyph_of(*group, t) : " ";
  }
  return workbook::to_text(f, t);
}

}  // namespace workbook
