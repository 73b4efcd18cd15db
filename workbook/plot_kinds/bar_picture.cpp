// A bar plot as a picture.

#include <algorithm>
#include <cmath>

#include "workbook/number_text.h"
#include "workbook/picture/picture_frame.h"

namespace workbook {
namespace {

scale value_scale_for(const bar_plot& p) {
  interval range;
  for (const bars& b : p.groups) {
    add_extent(range, b.values, p.value.log);
    for (std::size_t i = 0; i < b.spread.size(); ++i)
      for (double end : {b.values[i] - b.spread[i], b.values[i] + b.spread[i]})
        if (std::isfinite(end) && (!p.value.log || end > 0)) range.add(end);
  }
  return scale_for(p.value, range, p.value.log ? 0.08 : 0.02, !p.value.log);
}

// Whether a text of that size stays within the plot: bars that are only partly visible have no name.
bool has_room(const box& plot, double middle, double slot) {
  return slot >= 9 && middle >= plot.top && middle <= plot.bottom();
}

}  // namespace

// The height grows with the number of bars, up to a limit.
picture_size bar_plot::size() const {
  const double bars = static_cast<double>(categories.size() * std::max<std::size_t>(groups.size(), 1));
  const double thickness = groups.size() > 1 ? 21 : 32;
  return {720, std::clamp(150 + thickness * bars, 220.0, 2400.0)};
}

// Bars are horizontal: their names can be read without turning the head, however long they are.
picture_geometry bar_plot::paint(const sheet& s) const {
  canvas& d = s.d;
  picture_geometry g;
  const auto count = static_cast<double>(std::max<std::size_t>(categories.size(), 1));
  g.full_scales = xy_scales{value_scale_for(*this), scale(count, 0, false)};
  const scale x = part_of(g.full_scales->x, s.view.x), y = part_of(g.full_scales->y, s.view.y);
  g.shown = xy_scales{x, y};
  g.elements = {0, count};
  std::vector<legend_entry> legend;
  for (std::size_t k = 0; k < groups.size(); ++k)
    legend.push_back({groups[k].name, series_colour(k), 0, false, false, true, s.view.is_hidden(k)});

  const frame f = frame_for(s.size);
  const double head = paint_head(s, f, title, legend, &g.legend);
  double names = d.width_of(category_label, label_font);
  for (const std::string& c : categories) names = std::max(names, d.width_of(c, label_font));
  names = std::min(names, s.size.width * 0.4);
  double numbers = 0;
  for (const bars& b : groups)
    for (std::size_t i = 0; i < b.values.size(); ++i)
      numbers = std::max(numbers, d.width_of(value_text(b.values[i], value.unit), tick_font));
  const double left = f.border + names + 10;
  const bool label = !category_label.empty() && f.axis_titles;
  const double top = head + f.above(label);
  const std::string x_title = f.title_of(value, x);
  // Numbers stand behind the bars; the longest bar leaves them room.
  const box plot{left, top, std::max(s.size.width - f.border - numbers - 8 - left, 1.0),
                 std::max(s.size.height - top - f.border - f.below(!x_title.empty()), 1.0)};
  g.plot = plot;
  paint_x_axis(s, plot, x, ticks_across(x, plot.width, 7), x_title, true);
  if (label)
    d.text({f.border, plot.top - 12}, d.fitted(category_label, label_font, plot.right()), label_font, s.look.ink);

  const double zero = plot.left + (x.log() ? 0 : std::clamp(x(0), 0.0, 1.0)) * plot.width;
  const double slot = plot.height / std::abs(y.high() - y.low());
  const double thickness = slot * 0.72 / static_cast<double>(std::max<std::size_t>(groups.size(), 1));
  const auto clipped = s.view.y ? d.clip({0, plot.top, s.size.width, plot.height + 1}) : nullptr;
  for (std::size_t c = 0; c < categories.size(); ++c) {
    const double middle = plot.top + slot * (static_cast<double>(c) + 0.5 - y.high());
    if (middle + slot < plot.top || middle - slot > plot.bottom()) continue;
    if (has_room(plot, middle, slot))
      d.text({plot.left - 10, middle + 4.5}, d.fitted(categories[c], label_font, names), label_font, s.look.ink,
             aligned::right);
    for (std::size_t k = 0; k < groups.size(); ++k) {
      if (s.view.is_hidden(k)) continue;
      const bars& b = groups[k];
      const double fraction = x(b.values[c]);
      const double y_of_bar = middle - slot * 0.36 + thickness * static_cast<double>(k);
      const double base = y_of_bar + thickness / 2 + 4;
      const std::string number = thickness >= 7 ? value_text(b.values[c], value.unit) : "";
      if (!std::isfinite(fraction)) {
        d.text({zero + 6, base}, number, tick_font, s.look.faint_ink);
        continue;
      }
      const double end = plot.left + std::clamp(fraction, 0.0, 1.0) * plot.width;
      const double inset = std::min(1.0, thickness * 0.06);
      d.fill({std::min(zero, end), y_of_bar + inset, std::abs(end - zero), thickness - 2 * inset}, series_colour(k));
      double beyond = std::max(end, zero);
      if (!b.spread.empty()) {
        const auto at = [&](double v) { return plot.left + std::clamp(x(v), 0.0, 1.0) * plot.width; };
        const double low = at(b.values[c] - b.spread[c]), high = at(b.values[c] + b.spread[c]);
        if (std::isfinite(low) && std::isfinite(high)) {
          const double line = y_of_bar + thickness / 2;
          d.stroke({{low, line}, {high, line}}, s.look.ink, 1.2);
          for (double tip : {low, high}) d.stroke({{tip, line - 3}, {tip, line + 3}}, s.look.ink, 1.2);
          beyond = std::max(beyond, high);
        }
      }
      d.text({beyond + 6, base}, number, tick_font, s.look.faint_ink);
    }
  }
  d.stroke({{zero, plot.top}, {zero, plot.bottom()}}, s.look.axis, 1);
  return g;
}

}  // namespace workbook
