// An xy plot in characters.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workbook/plot/reduce.h"
#include "workbook/terminal/dot_canvas.h"
#include "workbook/terminal/text_frame.h"
#include "workbook/terminal/text_layout.h"

namespace workbook {

std::string xy_plot::to_text(const terminal& t) const {
  const xy_scales s = scales_for(*this);
  text_frame f;
  f.y_ticks = ticks_for(s.y, 5);
  f.columns = columns_beside(margin_of(f.y_ticks), t);
  f.x_ticks = ticks_for(s.x, std::max(2, f.columns / 12));
  f.x = &s.x;
  f.y = &s.y;
  f.title = title;
  f.x_title = axis_title(x, f.x_ticks.exponent);
  f.y_title = axis_title(y, f.y_ticks.exponent);

  const bool braille = t.unicode && (series.size() <= 1 || t.colours != colour_depth::none);
  dot_canvas canvas(f.columns, plot_rows, braille);
  const std::size_t longest_name = static_cast<std::size_t>(f.columns) - 2;  // one entry of the legend fits a line
  for (const reference_line& r : references) {
    if (r.vertical)
      canvas.vertical(s.x(r.at));
    else
      canvas.horizontal(s.y(r.at));
    f.legend.push_back(fmt::format("{} {}", r.vertical ? "┊" : "┄", cut(r.label, longest_name)));
  }
  std::vector<std::string> names;
  for (std::size_t k = 0; k < series.size(); ++k) {
    const workbook::series& drawn = series[k];
    if (drawn.style == drawn_as::bins)
      for (const bin& b : reduced_bins(drawn, {0, drawn.y.size()}, s.x, s.y, canvas.dot_columns()))
        canvas.line({(b.left + b.right) / 2, b.low}, {(b.left + b.right) / 2, b.high}, k);
    if (has_line(drawn.style))
      for (const auto& piece : reduced_line(drawn, s.x, s.y, canvas.dot_columns())) {
        if (piece.size() == 1) canvas.point(piece[0], k);
        for (std::size_t i = 1; i < piece.size(); ++i) canvas.line(piece[i - 1], piece[i], k);
      }
    if (has_points(drawn.style))
      for (const place& at : reduced_points(drawn, s.x, s.y, canvas.dot_columns(), canvas.dot_rows()))
        canvas.point(at, k);
    for (std::size_t i = 0; i < drawn.spread.size(); ++i) {
      const place low{s.x(x_of(drawn, i)), s.y(drawn.y[i] - drawn.spread[i])};
      const place high{low.x, s.y(drawn.y[i] + drawn.spread[i])};
      if (std::isfinite(low.x) && std::isfinite(low.y) && std::isfinite(high.y)) canvas.line(low, high, k);
    }
    if (drawn.name.empty()) continue;
    std::string mark = drawn.style == drawn_as::points ? "•" : drawn.style == drawn_as::bins ? "█" : "━";
    if (!braille) mark = series_marker(k, t);
    names.push_back(in_colour(mark, series_colour(k), t) + " " + cut(drawn.name, longest_name));
  }
  f.legend.insert(f.legend.begin(), names.begin(), names.end());
  f.rows = canvas.rows(t);
  return workbook::to_text(f, t);
}

}  // namespace workbook
