// A timeline as a picture.

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "workbook/picture/picture_frame.h"
#include "workbook/plot_kinds/timeline_scales.h"

namespace workbook {

picture_size timeline::size() const {
  return {720, std::clamp(130 + 34 * static_cast<double>(rows.size()), 180.0, 2400.0)};
}

picture_geometry timeline::paint(const sheet& s) const {
  canvas& d = s.d;
  picture_geometry g;
  g.full_scales = xy_scales{time_scale_of(*this), row_scale_of(*this)};
  const scale x = part_of(g.full_scales->x, s.view.x), y = part_of(g.full_scales->y, s.view.y);
  g.shown = xy_scales{x, y};
  g.elements = {0, static_cast<double>(rows.size())};
  std::vector<legend_entry> legend;
  for (std::size_t k = 0; k < groups.size(); ++k)
    legend.push_back(
        {.name = groups[k], .ink = series_colour(k), .line = false, .patch = true, .hidden = s.view.is_hidden(k)});

  const frame f = frame_for(s.size);
  const double head = paint_head(s, f, title, legend, &g.legend);
  double names = 0;
  for (const std::string& r : rows) names = std::max(names, d.width_of(r, label_font));
  names = std::min(names, s.size.width * 0.3);
  const double left = f.border + names + 10, top = head + f.above(false);
  const std::string x_title = f.title_of(time, x);
  const box plot{left, top, std::max(s.size.width - f.border - left, 1.0),
                 std::max(s.size.height - top - f.border - f.below(!x_title.empty()), 1.0)};
  g.plot = plot;
  paint_x_axis(s, plot, x, ticks_across(x, plot.width, 7), x_title, true);

  const double slot = plot.height / std::abs(y.high() - y.low());
  const auto middle_of = [&](std::size_t row) {
    return plot.bottom() - plot.height * y(static_cast<double>(row) + 0.5);
  };
  {
    const auto clipped = s.view.y ? d.clip({0, plot.top, s.size.width, plot.height + 1}) : nullptr;
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (const double middle = middle_of(r); slot >= 9 && middle >= plot.top && middle <= plot.bottom())
        d.text({plot.left - 10, middle + 4.5}, d.fitted(rows[r], label_font, names), label_font, s.look.ink,
               aligned::right);
  }
  const auto clipped = s.view.x || s.view.y ? d.clip(plot) : nullptr;
  // Of many bars of a group within one pixel, the first stands for all.
  std::map<std::pair<std::size_t, std::size_t>, double> drawn_until;
  for (const timeline_bar& b : bars) {
    const double from = x(b.start), to = x(b.stop);
    if (s.view.is_hidden(b.group) || !std::isfinite(from) || !std::isfinite(to) || to < 0 || from > 1) continue;
    const double begin = plot.left + std::max(from, 0.0) * plot.width, end = plot.left + std::min(to, 1.0) * plot.width;
    double& reached = drawn_until.try_emplace({b.row, b.group}, -1).first->second;
    if (begin >= reached - 1 / d.pixels_per_point() && end <= reached) continue;
    reached = std::max(end, begin + 1 / d.pixels_per_point());
    const double middle = middle_of(b.row), height = slot * 0.7;
    // A rim of paper keeps bars apart that follow each other; the shortest bar is a line.
    const double gap = std::min(0.5, (end - begin) / 8);
    d.fill({begin + gap, middle - height / 2, std::max(end - begin - 2 * gap, 0.75), height}, series_colour(b.group));
    if (!b.text.empty() && height >= 13 && d.width_of(b.text, tick_font) + 8 <= end - begin)
      d.text_on_data({(begin + end) / 2, middle + 4}, b.text, tick_font, s.look.ink, s.look.paper, aligned::centre);
  }
  d.stroke({{plot.left, plot.top}, {plot.left, plot.bottom()}}, s.look.axis, 1);
  return g;
}

}  // namespace workbook
