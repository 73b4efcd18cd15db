// A bar plot in characters.

#include <algorithm>
#include <array>
#include <cmath>

#include "workbook/number_text.h"
#include "workbook/plot/scale.h"
#include "workbook/terminal/dot_canvas.h"
#include "workbook/terminal/text_frame.h"
#include "workbook/terminal/text_layout.h"

namespace workbook {
namespace {

// Eighths of a block, so that bars differ by less than a character.
std::string bar_of(double cells, bool unicode) {
  static constexpr std::array<const char*, 8> eighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  std::string bar;
  const int whole = static_cast<int>(cells);
  for (int k = 0; k < whole; ++k) bar += unicode ? "█" : "#";
  if (unicode) bar += eighths[static_cast<std::size_t>((cells - whole) * 8)];
  return bar;
}

}  // namespace

std::string bar_plot::to_text(const terminal& t) const {
  interval range;
  for (const bars& b : groups) add_extent(range, b.values, value.log);
  const scale s = scale_for(value, range, value.log ? 0.05 : 0, !value.log);
  std::size_t widest = display_width(category_label);
  for (const std::string& c : categories) widest = std::max(widest, display_width(c));
  const std::size_t width = std::min(t.width, widest_plot);
  widest = std::min(widest, width / 3);
  std::size_t numbers = 3;
  for (const bars& b : groups)
    for (std::size_t i = 0; i < b.values.size(); ++i)
      numbers = std::max(numbers, display_width(value_text(b.values[i], value.unit)));
  const double cells = static_cast<double>(width > widest + numbers + 12 ? width - widest - numbers - 4 : 8);
  // Negative bars grow to the left from where zero lies.
  const double zero = s.log() ? 0 : std::clamp(s(0), 0.0, 1.0);

  std::string out;
  if (!title.empty()) out += in_bold(cut(title, width), t) + "\n";
  std::string legend;
  const bool several = groups.size() > 1;
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (several || !groups[g].name.empty())
      legend += (legend.empty() ? "" : "   ") +
                in_colour(several && t.colours == colour_depth::none ? series_marker(g, t)
                          : t.unicode                                ? "█"
                                                                     : "#",
                          series_colour(g), t) +
                " " + groups[g].name;
  if (!legend.empty()) out += std::string(widest + 2, ' ') + legend + "\n";
  const std::string unit = axis_title(value);
  if (!category_label.empty() || !unit.empty())
    out += dimmed(pad_right(cut(category_label, widest), widest) + "  " + unit + (s.log() ? " (logarithmic)" : ""), t) +
           "\n";
  for (std::size_t c = 0; c < categories.size(); ++c)
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const double v = groups[g].values[c];
      const double at = std::clamp(s(v), 0.0, 1.0);
      std::string line = pad_right(g == 0 ? cut(categories[c], widest) : "", widest);
      line += several && t.colours == colour_depth::none ? " " + series_marker(g, t) : " │";
      if (std::isfinite(at)) {
        if (v < 0 && !s.log())
          line += std::string(static_cast<std::size_t>(std::lround(at * cells)), ' ') +
                  in_colour(bar_of(std::round(zero * cells) - std::round(at * cells), t.unicode), series_colour(g), t);
        else
          line += std::string(static_cast<std::size_t>(std::lround(zero * cells)), ' ') +
                  in_colour(bar_of((at - zero) * cells, t.unicode), series_colour(g), t);
      }
      out += line + " " + value_text(v, value.unit) + "\n";
    }
  return out;
}

}  // namespace workbook
