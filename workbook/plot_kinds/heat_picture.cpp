// A heat map as a picture.

#include <algorithm>
#include <cmath>

#include "workbook/picture/picture_frame.h"
#include "workbook/plot/reduce.h"

namespace workbook {
namespace {

constexpr double bar_width = 14, bar_gap = 18;
constexpr double narrow_bar = 8, narrow_labels = 20;  // heights, of the bar below a narrow map
constexpr int shades = 256;

// The elements, of n in a row or column, that lie between the fractions `from` and `to` of it.
struct element_range {
  std::size_t first, count;
};
element_range elements_in(double from, double to, std::size_t n) {
  const auto count = static_cast<double>(n);
  const double first = std::clamp(std::floor(from * count + 1e-9), 0.0, std::max(count - 1, 0.0));
  const double last = std::clamp(std::ceil(to * count - 1e-9), first, count);
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(last - first)};
}

// Every pixel of the picture is set here, so that no viewer of an SVG file smooths the elements into each other.
void paint_matrix(const sheet& s, const box& plot, const heat_map& h, const picture_geometry& g, colour_map colours) {
  // Where the edges of what is shown lie in the whole matrix.
  const double x0 = g.full_scales->x(g.shown->x.low()), x1 = g.full_scales->x(g.shown->x.high());
  const double y0 = 1 - g.full_scales->y(g.shown->y.high()), y1 = 1 - g.full_scales->y(g.shown->y.low());
  const element_range columns = elements_in(x0, x1, h.columns), rows = elements_in(y0, y1, h.rows);
  if (columns.count == 0 || rows.count == 0) return;
  // Whole elements are drawn; those at the edges are cut.
  const auto fraction = [](std::size_t k, std::size_t n) { return static_cast<double>(k) / static_cast<double>(n); };
  const double left = (fraction(columns.first, h.columns) - x0) / (x1 - x0) * plot.width;
  const double right = (fraction(columns.first + columns.count, h.columns) - x0) / (x1 - x0) * plot.width;
  const double top = (fraction(rows.first, h.rows) - y0) / (y1 - y0) * plot.height;
  const double bottom = (fraction(rows.first + rows.count, h.rows) - y0) / (y1 - y0) * plot.height;
  const bool is_complete = columns.count == h.columns && rows.count == h.rows && !s.view.x && !s.view.y;
  const box whole = is_complete ? plot : box{plot.left + left, plot.top + top, right - left, bottom - top};
  const auto pixels = [&](double length, double most) {
    return static_cast<int>(std::clamp(length * s.d.pixels_per_point(), 1.0, most));
  };
  // A single element may be far larger than the plot.
  const int most_columns = pixels(whole.width, 4 * plot.width * s.d.pixels_per_point());
  const int most_rows = pixels(whole.height, 4 * plot.height * s.d.pixels_per_point());
  const auto clipped = is_complete ? nullptr : s.d.clip(plot);
  s.d.image(
      whole,
      s.data.pixels(
          h, {{rows.first, columns.first, rows.count, columns.count}, most_rows, most_columns, colours, *g.value}),
      most_columns, most_rows);
}

void paint_rim(const sheet& s, const box& b) {
  s.d.stroke({{b.left, b.top}, {b.right(), b.top}, {b.right(), b.bottom()}, {b.left, b.bottom()}, {b.left, b.top}},
             s.look.axis, 0.75);
}

bool is_named_within(const tick& t, double fraction) {
  return !t.label.empty() && fraction >= -1e-9 && fraction <= 1 + 1e-9;
}

// The colours from the greatest value at the top to the least, and the numbers at the right.
void paint_bar_beside(const sheet& s, const box& bar, colour_map map, const scale& values, const tick_marks& marks,
                      const std::string& title) {
  std::vector<std::uint32_t> gradient;
  for (int k = 0; k < shades; ++k) gradient.push_back(pixel_of(map_colour(map, 1 - (k + 0.5) / shades)));
  s.d.image(bar, gradient, 1, shades);
  paint_rim(s, bar);
  for (const tick& t : marks.ticks) {
    const double fraction = values(t.at);
    if (!is_named_within(t, fraction)) continue;
    const double y = bar.bottom() - fraction * bar.height;
    s.d.stroke({{bar.right(), y}, {bar.right() + 4, y}}, s.look.axis, 1);
    s.d.text({bar.right() + 8, y + 4}, t.label, tick_font, s.look.faint_ink);
  }
  s.d.text({bar.left, bar.top - 12}, title, label_font, s.look.ink);
}

// The colours from the least value at the left, the numbers below, and behind them the title.
void paint_bar_below(const sheet& s, const box& bar, colour_map map, const scale& values, const std::string& title) {
  std::vector<std::uint32_t> gradient;
  for (int k = 0; k < shades; ++k) gradient.push_back(pixel_of(map_colour(map, (k + 0.5) / shades)));
  s.d.image(bar, gradient, shades, 1);
  paint_rim(s, bar);
  const double baseline = bar.bottom() + 15;
  double end = bar.right();
  if (!title.empty()) {
    s.d.text({bar.right(), baseline}, title, tick_font, s.look.ink, aligned::right);
    end -= s.d.width_of(title, tick_font) + 8;
  }
  double free_from = -1e9;
  for (const tick& t : ticks_across(values, bar.width, 3).ticks) {
    const double fraction = values(t.at);
    if (!is_named_within(t, fraction)) continue;
    const double x = bar.left + fraction * bar.width, half = s.d.width_of(t.label, tick_font) / 2;
    const double middle = std::min(x, s.size.width - half - 2);
    s.d.stroke({{x, bar.bottom()}, {x, bar.bottom() + 3}}, s.look.axis, 1);
    if (middle - half < free_from || (!title.empty() && middle + half > end)) continue;
    s.d.text({middle, baseline}, t.label, tick_font, s.look.faint_ink, aligned::centre);
    free_from = middle + half + 6;
  }
}

}  // namespace

// About as wide as the matrix needs, with room for the axis on the left and the colour bar on the right.
picture_size heat_map::size() const {
  if (columns == 0) return {};
  const double aspect = static_cast<double>(rows) / static_cast<double>(columns);
  const double height = std::clamp(560 * aspect, 240.0, 420.0);
  return {std::clamp(height / aspect, 230.0, 560.0) + 160, height + 112};
}

picture_geometry heat_map::paint(const sheet& sheet) const {
  canvas& d = sheet.d;
  picture_geometry g;
  const scale colour_scale = part_of(sheet.data.values(*this), sheet.view.values);
  g.value = colour_scale;
  g.full_scales = scales_for(*this);
  const xy_scales s{part_of(g.full_scales->x, sheet.view.x), part_of(g.full_scales->y, sheet.view.y)};
  g.shown = s;
  g.elements = {static_cast<double>(columns), static_cast<double>(rows)};
  const colour_map map = sheet.view.colours.value_or(colours);
  const frame f = frame_for(sheet.size);
  const bool is_narrow = sheet.size.width < narrow_heat_map && sheet.size.height >= sheet.size.width;
  const double head = paint_head(sheet, f, title, {});
  const std::string x_title = f.title_of(x, s.x), y_title = f.title_of(y, s.y);
  const std::string value_title = d.fitted(f.title_of(value, colour_scale), label_font, sheet.size.width / 3);
  const double top = head + f.above(!y_title.empty() || (!value_title.empty() && !is_narrow));
  const double below = f.below(!x_title.empty()) + (is_narrow ? narrow_bar + narrow_labels : 0);
  const double height = std::max(sheet.size.height - top - f.border - below, 1.0);
  const tick_marks y_ticks = ticks_along(s.y, height, 6), value_ticks = ticks_along(colour_scale, height, 6);
  g.room.y = std::max(widest_label(d, y_ticks), sheet.view.least_room.y);
  g.room.value = std::max(widest_label(d, value_ticks), sheet.view.least_room.value);
  const double left = f.border + g.room.y + 8;
  const double beside = bar_gap + std::max(bar_width + g.room.value + 10, d.width_of(value_title, label_font));
  box plot{left, top, std::max(sheet.size.width - f.border - (is_narrow ? 0 : beside) - left, 1.0), height};

  // Elements are drawn as squares unless that would make the plot a ribbon.
  const double aspect = columns > 0 ? static_cast<double>(rows) / static_cast<double>(columns) : 1;
  if (aspect > 0.3 && aspect < 3) {
    if (plot.width * aspect > plot.height)
      plot.width = plot.height / aspect;
    else
      plot.height = plot.width * aspect;
  }
  g.plot = plot;
  paint_matrix(sheet, plot, *this, g, map);
  const tick_marks x_ticks = ticks_for(s.x, std::max(2, static_cast<int>(plot.width / 80)));
  paint_y_axis(sheet, f, plot, s.y, y_ticks, y_title, false);
  paint_x_axis(sheet, plot, s.x, x_ticks, x_title, false);
  // The light ends of the maps are hardly darker than paper.
  paint_rim(sheet, plot);
  if (is_narrow)
    paint_bar_below(sheet, {plot.left, plot.bottom() + f.below(!x_title.empty()) + 2, plot.width, narrow_bar}, map,
                    colour_scale, value_title);
  else
    paint_bar_beside(sheet, {plot.right() + bar_gap, plot.top, bar_width, plot.height}, map, colour_scale, value_ticks,
                     value_title);
  return g;
}

}  // namespace workbook
