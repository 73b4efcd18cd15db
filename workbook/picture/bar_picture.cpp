#include <algorithm>
#include <cmath>

#include "workbook/number_text.h"
#include "workbook/picture/picture_frame.h"

namespace workbook {

// Bars lie: their names can be read without turning the head, however long they are.
void paint_bars(drawing& d, const bar_plot& p, picture_size size) {
  interval range;
  for (const bars& b : p.groups) {
    add_extent(range, b.values, p.value.log);
    for (std::size_t i = 0; i < b.spread.size(); ++i)
      for (double end : {b.values[i] - b.spread[i], b.values[i] + b.spread[i]})
        if (std::isfinite(end) && (!p.value.log || end > 0)) range.add(end);
  }
  const scale x = scale_for(p.value, range, p.value.log ? 0.08 : 0.02, !p.value.log);
  std::vector<legend_entry> legend;
  for (std::size_t k = 0; k < p.groups.size(); ++k)
    if (!p.groups[k].name.empty()) legend.push_back({p.groups[k].name, series_colour(k), 0, false, false, true});

  const double head = paint_head(d, p.title, legend, size.width);
  double names = d.width_of(p.category_label, label_font);
  for (const std::string& c : p.categories) names = std::max(names, d.width_of(c, label_font));
  names = std::min(names, size.width * 0.4);
  double numbers = 0;
  for (const bars& b : p.groups)
    for (std::size_t i = 0; i < b.values.size(); ++i)
      numbers = std::max(numbers, d.width_of(value_text(b.values[i], p.value.unit), tick_font));
  const double left = border + names + 10;
  const double top = head + (p.category_label.empty() ? 12 : 32);
  // Numbers stand behind the bars; the longest bar leaves them room.
  const box plot{left, top, size.width - border - numbers - 8 - left, size.height - top - border - 30};
  const tick_marks marks = ticks_for(x, 7);
  paint_x_axis(d, plot, x, marks, axis_title(p.value, marks.exponent), true);
  if (!p.category_label.empty()) d.text({border, plot.top - 12}, p.category_label, label_font, ink);

  const double zero = plot.left + (x.log() ? 0 : std::clamp(x(0), 0.0, 1.0)) * plot.width;
  const double slot = plot.height / static_cast<double>(std::max<std::size_t>(p.categories.size(), 1));
  const double thickness = slot * 0.72 / static_cast<double>(std::max<std::size_t>(p.groups.size(), 1));
  for (std::size_t c = 0; c < p.categories.size(); ++c) {
    const double middle = plot.top + slot * (static_cast<double>(c) + 0.5);
    d.text({plot.left - 10, middle + 4.5}, d.fitted(p.categories[c], label_font, names), label_font, ink,
           aligned::right);
    for (std::size_t g = 0; g < p.groups.size(); ++g) {
      const bars& b = p.groups[g];
      const double fraction = x(b.values[c]);
      const double y = middle - slot * 0.36 + thickness * static_cast<double>(g);
      if (!std::isfinite(fraction)) {
        d.text({zero + 6, y + thickness / 2 + 4}, value_text(b.values[c], p.value.unit), tick_font, faint_ink);
        continue;
      }
      const double end = plot.left + std::clamp(fraction, 0.0, 1.0) * plot.width;
      const double inset = std::min(1.0, thickness * 0.06);
      d.fill({std::min(zero, end), y + inset, std::abs(end - zero), thickness - 2 * inset}, series_colour(g));
      double beyond = std::max(end, zero);
      if (!b.spread.empty()) {
        const auto at = [&](double v) { return plot.left + std::clamp(x(v), 0.0, 1.0) * plot.width; };
        const double low = at(b.values[c] - b.spread[c]), high = at(b.values[c] + b.spread[c]);
        if (std::isfinite(low) && std::isfinite(high)) {
          const double line = y + thickness / 2;
          d.stroke({{low, line}, {high, line}}, ink, 1.2);
          for (double tip : {low, high}) d.stroke({{tip, line - 3}, {tip, line + 3}}, ink, 1.2);
          beyond = std::max(beyond, high);
        }
      }
      d.text({beyond + 6, y + thickness / 2 + 4}, value_text(b.values[c], p.value.unit), tick_font, faint_ink);
    }
  }
  d.stroke({{zero, plot.top}, {zero, plot.bottom()}}, axis_ink, 1);
}

}  // namespace workbook
