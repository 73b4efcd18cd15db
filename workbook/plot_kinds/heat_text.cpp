// A heat map in characters.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "workbook/number_text.h"
#include "workbook/plot/reduce.h"
#include "workbook/terminal/text_frame.h"
#include "workbook/terminal/text_layout.h"

namespace workbook {
namespace {

constexpr std::array<const char*, 4> shades{"░", "▒", "▓", "█"};
constexpr std::array<const char*, 9> letters{".", ":", "-", "=", "+", "*", "#", "%", "@"};

std::string shade_of(double position, const terminal& t) {
  if (std::isnan(position)) return " ";
  const auto pick = [&](const auto& list) {
    const auto n = static_cast<double>(list.size());
    return list[static_cast<std::size_t>(std::clamp(position * n, 0.0, n - 1))];
  };
  return t.unicode ? pick(shades) : pick(letters);
}

}  // namespace

std::string heat_map::to_text(const terminal& t) const {
  const bool coloured = t.colours != colour_depth::none && t.unicode;
  const scale value_scale = value_scale_for(*this);
  const xy_scales s = scales_for(*this);
  text_frame f;
  f.title = title;
  f.x = &s.x;
  f.y = &s.y;
  f.y_ticks = ticks_for(s.y, 5);
  const int room = columns_beside(margin_of(f.y_ticks), t);
  // A character is about twice as high as wide; a coloured one shows two values, one above the other.
  const double aspect = columns > 0 ? static_cast<double>(rows) / static_cast<double>(columns) : 1;
  // Up to ten rows are all shown, even where that makes cells higher than wide: eight steps of 256 threads, for
  // example.
  const int values_per_character = coloured ? 2 : 1;
  const int shown_rows = static_cast<int>(std::min<std::size_t>(rows, 10));
  const int least_lines = std::max(1, (shown_rows + values_per_character - 1) / values_per_character);
  const int lines = std::clamp(static_cast<int>(std::lround(aspect * room / 2)), least_lines, 20);
  const int across = std::clamp(static_cast<int>(std::lround(std::min(2 * lines / std::max(aspect, 1e-6), 1e6))),
                                std::min(room, 10), room);
  const reduced_matrix m = reduced_heat_map(*this, lines * values_per_character, across);
  f.columns = across;
  f.x_ticks = ticks_for(s.x, std::max(2, across / 12));
  f.x_title = axis_title(x, f.x_ticks.exponent);
  f.y_title = axis_title(y, f.y_ticks.exponent);

  const auto value_at = [&](int line, int column, int half) {
    if (m.rows == 0 || m.columns == 0) return std::numeric_limits<double>::quiet_NaN();
    const int r = (line * values_per_character + half) * m.rows / (lines * values_per_character);
    const int c = column * m.columns / across;
    return value_scale(
        m.values[static_cast<std::size_t>(r) * static_cast<std::size_t>(m.columns) + static_cast<std::size_t>(c)]);
  };
  for (int line = 0; line < lines; ++line) {
    std::string& row = f.rows.emplace_back();
    for (int c = 0; c < across; ++c) {
      if (!coloured) {
        row += shade_of(value_at(line, c, 0), t);
        continue;
      }
      const double upper = value_at(line, c, 0), lower = value_at(line, c, 1);
      if (std::isnan(upper) && std::isnan(lower))
        row += " ";
      else if (std::isnan(upper))
        row += in_colour("▄", map_colour(colours, lower), t);
      else if (std::isnan(lower))
        row += in_colour("▀", map_colour(colours, upper), t);
      else
        row += colour_code(map_colour(colours, lower), true, t) + in_colour("▀", map_colour(colours, upper), t);
    }
  }
  const std::string low = significant(value_scale.low(), 3), high = significant(value_scale.high(), 3);
  const int left = columns_beside(margin_of(f.y_ticks), t) - static_cast<int>(display_width(low + high)) - 2;
  const int cells = std::clamp(left, 4, 20);
  std::string bar = low + " ";
  for (int k = 0; k < cells; ++k) {
    const double at = (k + 0.5) / cells;
    bar += coloured ? in_colour("█", map_colour(colours, at), t) : shade_of(at, t);
  }
  f.legend.push_back(bar + " " + high);
  if (const std::string name = axis_title(value); !name.empty()) f.legend.push_back(name);
  return workbook::to_text(f, t);
}

}  // namespace workbook
