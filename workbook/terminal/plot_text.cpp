#include "workbook/terminal/plot_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "workbook/number_text.h"
#include "workbook/plot/reduce.h"
#include "workbook/terminal/access_text.h"
#include "workbook/terminal/dot_canvas.h"
#include "workbook/terminal/text_frame.h"
#include "workbook/terminal/text_layout.h"

namespace workbook {
namespace {

int columns_for(const terminal& t, int margin) {
  return std::max(static_cast<int>(std::min(t.width, widest_plot)) - margin, 10);
}

std::string draw(const xy_plot& p, const terminal& t) {
  const xy_scales s = scales_for(p);
  text_frame f;
  f.y_ticks = ticks_for(s.y, 5);
  f.columns = columns_for(t, margin_of(f.y_ticks));
  f.x_ticks = ticks_for(s.x, std::max(2, f.columns / 12));
  f.x = &s.x;
  f.y = &s.y;
  f.title = p.title;
  f.x_title = axis_title(p.x, f.x_ticks.exponent);
  f.y_title = axis_title(p.y, f.y_ticks.exponent);

  const bool braille = t.unicode && (p.series.size() <= 1 || t.colours != colour_depth::none);
  dot_canvas canvas(f.columns, plot_rows, braille);
  const std::size_t longest_name = static_cast<std::size_t>(f.columns) - 2;  // one entry of the legend fits a line
  for (const reference_line& r : p.references) {
    if (r.vertical)
      canvas.vertical(s.x(r.at));
    else
      canvas.horizontal(s.y(r.at));
    f.legend.push_back(fmt::format("{} {}", r.vertical ? "┊" : "┄", cut(r.label, longest_name)));
  }
  std::vector<std::string> names;
  for (std::size_t k = 0; k < p.series.size(); ++k) {
    const series& one = p.series[k];
    if (one.style == drawn_as::bins)
      for (const bin& b : reduced_bins(one, {0, one.y.size()}, s.x, s.y, canvas.dot_columns()))
        canvas.line({(b.left + b.right) / 2, b.low}, {(b.left + b.right) / 2, b.high}, k);
    if (has_line(one.style))
      for (const auto& piece : reduced_line(one, s.x, s.y, canvas.dot_columns())) {
        if (piece.size() == 1) canvas.point(piece[0], k);
        for (std::size_t i = 1; i < piece.size(); ++i) canvas.line(piece[i - 1], piece[i], k);
      }
    if (has_points(one.style))
      for (const place& at : reduced_points(one, s.x, s.y, canvas.dot_columns(), canvas.dot_rows()))
        canvas.point(at, k);
    for (std::size_t i = 0; i < one.spread.size(); ++i) {
      const place low{s.x(x_of(one, i)), s.y(one.y[i] - one.spread[i])};
      const place high{low.x, s.y(one.y[i] + one.spread[i])};
      if (std::isfinite(low.x) && std::isfinite(low.y) && std::isfinite(high.y)) canvas.line(low, high, k);
    }
    if (one.name.empty()) continue;
    std::string mark = one.style == drawn_as::points ? "•" : one.style == drawn_as::bins ? "█" : "━";
    if (!braille) mark = series_marker(k, t);
    names.push_back(in_colour(mark, series_colour(k), t) + " " + cut(one.name, longest_name));
  }
  f.legend.insert(f.legend.begin(), names.begin(), names.end());
  f.rows = canvas.rows(t);
  return to_text(f, t);
}

// Eighths of a block, so that bars differ by less than a character.
std::string bar_of(double cells, bool unicode) {
  static constexpr std::array<const char*, 8> eighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  std::string bar;
  const int whole = static_cast<int>(cells);
  for (int k = 0; k < whole; ++k) bar += unicode ? "█" : "#";
  if (unicode) bar += eighths[static_cast<std::size_t>((cells - whole) * 8)];
  return bar;
}

std::string draw(const bar_plot& p, const terminal& t) {
  interval range;
  for (const bars& b : p.groups) add_extent(range, b.values, p.value.log);
  const scale s = scale_for(p.value, range, p.value.log ? 0.05 : 0, !p.value.log);
  std::size_t widest = display_width(p.category_label);
  for (const std::string& c : p.categories) widest = std::max(widest, display_width(c));
  const std::size_t width = std::min(t.width, widest_plot);
  widest = std::min(widest, width / 3);
  std::size_t numbers = 3;
  for (const bars& b : p.groups)
    for (std::size_t i = 0; i < b.values.size(); ++i)
      numbers = std::max(numbers, display_width(value_text(b.values[i], p.value.unit)));
  const double cells = static_cast<double>(width > widest + numbers + 12 ? width - widest - numbers - 4 : 8);
  // Negative bars grow to the left from where zero lies.
  const double zero = s.log() ? 0 : std::clamp(s(0), 0.0, 1.0);

  std::string out;
  if (!p.title.empty()) out += in_bold(cut(p.title, width), t) + "\n";
  std::string legend;
  const bool several = p.groups.size() > 1;
  for (std::size_t g = 0; g < p.groups.size(); ++g)
    if (several || !p.groups[g].name.empty())
      legend += (legend.empty() ? "" : "   ") +
                in_colour(several && t.colours == colour_depth::none ? series_marker(g, t)
                          : t.unicode                                ? "█"
                                                                     : "#",
                          series_colour(g), t) +
                " " + p.groups[g].name;
  if (!legend.empty()) out += std::string(widest + 2, ' ') + legend + "\n";
  const std::string unit = axis_title(p.value);
  if (!p.category_label.empty() || !unit.empty())
    out +=
        dimmed(pad_right(cut(p.category_label, widest), widest) + "  " + unit + (s.log() ? " (logarithmic)" : ""), t) +
        "\n";
  for (std::size_t c = 0; c < p.categories.size(); ++c)
    for (std::size_t g = 0; g < p.groups.size(); ++g) {
      const double v = p.groups[g].values[c];
      const double at = std::clamp(s(v), 0.0, 1.0);
      std::string line = pad_right(g == 0 ? cut(p.categories[c], widest) : "", widest);
      line += several && t.colours == colour_depth::none ? " " + series_marker(g, t) : " │";
      if (std::isfinite(at)) {
        if (v < 0 && !s.log())
          line += std::string(static_cast<std::size_t>(std::lround(at * cells)), ' ') +
                  in_colour(bar_of(std::round(zero * cells) - std::round(at * cells), t.unicode), series_colour(g), t);
        else
          line += std::string(static_cast<std::size_t>(std::lround(zero * cells)), ' ') +
                  in_colour(bar_of((at - zero) * cells, t.unicode), series_colour(g), t);
      }
      out += line + " " + value_text(v, p.value.unit) + "\n";
    }
  return out;
}

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

std::string draw(const heat_map& h, const terminal& t) {
  const bool colours = t.colours != colour_depth::none && t.unicode;
  const scale value = value_scale_for(h);
  const xy_scales s = scales_for(h);
  text_frame f;
  f.title = h.title;
  f.x = &s.x;
  f.y = &s.y;
  f.y_ticks = ticks_for(s.y, 5);
  const int room = columns_for(t, margin_of(f.y_ticks));
  // A character is about twice as high as wide; a coloured one shows two values, one above the other.
  const double aspect = h.columns > 0 ? static_cast<double>(h.rows) / static_cast<double>(h.columns) : 1;
  const int lines = std::clamp(static_cast<int>(std::lround(aspect * room / 2)), 1, 20);
  const int columns = std::clamp(static_cast<int>(std::lround(std::min(2 * lines / std::max(aspect, 1e-6), 1e6))),
                                 std::min(room, 10), room);
  const int values_per_character = colours ? 2 : 1;
  const reduced_matrix m = reduced_heat_map(h, lines * values_per_character, columns);
  f.columns = columns;
  f.x_ticks = ticks_for(s.x, std::max(2, columns / 12));
  f.x_title = axis_title(h.x, f.x_ticks.exponent);
  f.y_title = axis_title(h.y, f.y_ticks.exponent);

  const auto value_at = [&](int line, int column, int half) {
    if (m.rows == 0 || m.columns == 0) return std::numeric_limits<double>::quiet_NaN();
    const int r = (line * values_per_character + half) * m.rows / (lines * values_per_character);
    const int c = column * m.columns / columns;
    return value(m.values[static_cast<std::size_t>(r * m.columns + c)]);
  };
  for (int line = 0; line < lines; ++line) {
    std::string& row = f.rows.emplace_back();
    for (int c = 0; c < columns; ++c) {
      if (!colours) {
        row += shade_of(value_at(line, c, 0), t);
        continue;
      }
      const double upper = value_at(line, c, 0), lower = value_at(line, c, 1);
      if (std::isnan(upper) && std::isnan(lower))
        row += " ";
      else if (std::isnan(upper))
        row += in_colour("▄", map_colour(h.colours, lower), t);
      else if (std::isnan(lower))
        row += in_colour("▀", map_colour(h.colours, upper), t);
      else
        row += colour_code(map_colour(h.colours, lower), true, t) + in_colour("▀", map_colour(h.colours, upper), t);
    }
  }
  const std::string low = significant(value.low(), 3), high = significant(value.high(), 3);
  const int left = columns_for(t, margin_of(f.y_ticks)) - static_cast<int>(display_width(low + high)) - 2;
  const int cells = std::clamp(left, 4, 20);
  std::string bar = low + " ";
  for (int k = 0; k < cells; ++k) {
    const double at = (k + 0.5) / cells;
    bar += colours ? in_colour("█", map_colour(h.colours, at), t) : shade_of(at, t);
  }
  f.legend.push_back(bar + " " + high);
  if (const std::string name = axis_title(h.value); !name.empty()) f.legend.push_back(name);
  return to_text(f, t);
}

std::string draw(const access_picture& p, const terminal& t) { return access_text(p, t); }

}  // namespace

std::string to_text(const plot& p, const terminal& t) {
  const std::string text = std::visit([&t](const auto& kind) { return draw(kind, t); }, p);
  return t.unicode ? text : to_ascii(text);
}

}  // namespace workbook
