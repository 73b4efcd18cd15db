// An xy plot as a picture.

#include <algorithm>
#include <cmath>

#include "workbook/picture/picture_frame.h"
#include "workbook/plot/reduce.h"

namespace workbook {
namespace {

position in(const box& plot, place p) { return {plot.left + p.x * plot.width, plot.bottom() - p.y * plot.height}; }

// From this number on, points become pixels of one image: a file of a million circles can't be opened.
constexpr std::size_t many_points = 5000;

double radius_for(std::size_t points) { return points <= 60 ? 3.5 : points <= 500 ? 2.6 : 1.7; }

void paint_cloud(canvas& d, const box& plot, const std::vector<place>& points, int columns, int rows, colour c) {
  const std::uint32_t dot = pixel_of(c);
  std::vector<std::uint32_t> pixels(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), 0);
  for (const place& at : points) {
    const int x = static_cast<int>(at.x * columns), y = static_cast<int>((1 - at.y) * rows);
    for (int row = std::max(y - 1, 0); row <= std::min(y, rows - 1); ++row)
      for (int column = std::max(x - 1, 0); column <= std::min(x, columns - 1); ++column)
        pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column)] =
            dot;
  }
  d.image(plot, pixels, columns, rows);
}

void paint_spread(canvas& d, const box& plot, const series& s, point_range part, const xy_scales& scales, colour c) {
  for (std::size_t i = part.begin; i < std::min(part.end, s.spread.size()); ++i) {
    const double x = scales.x(x_of(s, i));
    double low = scales.y(s.y[i] - s.spread[i]);
    const double high = scales.y(s.y[i] + s.spread[i]);
    // On a logarithmic axis a bar that reaches down to zero or below it ends at the axis.
    if (std::isnan(low) && scales.y.log()) low = 0;
    if (!std::isfinite(x) || !std::isfinite(low) || !std::isfinite(high)) continue;
    const position a = in(plot, {x, low}), b = in(plot, {x, high});
    d.stroke({a, b}, c, 1.2);
    for (const position end : {a, b}) d.stroke({{end.x - 3, end.y}, {end.x + 3, end.y}}, c, 1.2);
  }
}

// Labels at the top of a plot, each on the first line where it doesn't lie over another.
class stacked_labels {
 public:
  /// The number of the line.
  int place(double left, double right) {
    int line = 0;
    const auto overlaps = [&](const extent& label) {
      return label.line == line && label.left < right && left < label.right;
    };
    while (std::ranges::any_of(placed_, overlaps)) ++line;
    placed_.push_back({left, right, line});
    return line;
  }

 private:
  struct extent {
    double left, right;
    int line;
  };
  std::vector<extent> placed_;
};

void paint_reference(const sheet& sheet, const box& plot, const reference_line& r, const xy_scales& s,
                     stacked_labels& labels) {
  const look& look = sheet.look;
  canvas& d = sheet.d;
  const double fraction = r.vertical ? s.x(r.at) : s.y(r.at);
  if (!(fraction >= 0 && fraction <= 1)) return;
  if (r.vertical) {
    const double x = plot.left + fraction * plot.width;
    d.stroke({{x, plot.top}, {x, plot.bottom()}}, look.faint_ink, 1.2, true);
    const double width = d.width_of(r.label, tick_font);
    const bool fits = x + 6 + width <= plot.right();
    const double left = fits ? x + 6 : x - 6 - width;
    d.text_on_data({left, plot.top + 12 + 14 * labels.place(left, left + width)}, r.label, tick_font, look.faint_ink,
                   look.paper, aligned::left);
  } else {
    const double y = plot.bottom() - fraction * plot.height;
    d.stroke({{plot.left, y}, {plot.right(), y}}, look.faint_ink, 1.2, true);
    d.text_on_data({plot.right() - 4, y - 5 > plot.top + 10 ? y - 5 : y + 14}, r.label, tick_font, look.faint_ink,
                   look.paper, aligned::right);
  }
}

void paint_line(canvas& d, const box& plot, const line_pieces& pieces, colour c) {
  std::vector<position> line;
  for (const auto& piece : pieces) {
    line.clear();
    for (const place& at : piece) line.push_back(in(plot, at));
    d.stroke(line, c, piece.size() > 2000 ? 1 : 2);
    if (line.size() == 1) d.dot(line[0], 2, c);  // between two gaps a point would be invisible
  }
}

void paint_bins(canvas& d, const box& plot, const std::vector<bin>& bins, colour c) {
  for (const bin& b : bins) {
    const position least = in(plot, {b.left, b.high}), greatest = in(plot, {b.right, b.low});
    // A thin gap between bins that are wide enough: otherwise neighbours of equal height would look like one.
    const double width = greatest.x - least.x, hair = width > 4 ? 0.5 : 0;
    d.fill({least.x, least.y, width - hair, greatest.y - least.y}, c);
  }
}

void paint_points(canvas& d, const box& plot, const std::vector<place>& points, std::size_t k, int columns, int rows) {
  if (points.size() > many_points)
    paint_cloud(d, plot, points, columns, rows, series_colour(k));
  else
    for (const place& at : points) d.marker(in(plot, at), radius_for(points.size()), k, series_colour(k));
}

}  // namespace

picture_size xy_plot::size() const { return {}; }

picture_geometry xy_plot::paint(const sheet& sheet) const {
  canvas& d = sheet.d;
  picture_geometry g;
  g.full_scales = sheet.data.scales(*this);
  const xy_scales s{part_of(g.full_scales->x, sheet.view.x), part_of(g.full_scales->y, sheet.view.y)};
  g.shown = s;
  std::vector<legend_entry> legend;
  for (std::size_t k = 0; k < series.size(); ++k) {
    const workbook::series& drawn = series[k];
    legend.push_back({drawn.name, series_colour(k), k, has_line(drawn.style), has_points(drawn.style),
                      drawn.style == drawn_as::bins, sheet.view.is_hidden(k)});
  }

  const frame f = frame_for(sheet.size);
  const double head = paint_head(sheet, f, title, legend, &g.legend);
  const std::string x_title = f.title_of(x, s.x), y_title = f.title_of(y, s.y);
  const double top = head + f.above(!y_title.empty());
  const double height = std::max(sheet.size.height - top - f.border - f.below(!x_title.empty()), 1.0);
  const tick_marks y_ticks = ticks_along(s.y, height, 6);
  g.room.y = std::max(widest_label(d, y_ticks), sheet.view.least_room.y);
  const double left = f.border + g.room.y + 8;
  const box plot{left, top, std::max(sheet.size.width - f.border - 8 - left, 1.0), height};
  g.plot = plot;
  paint_y_axis(sheet, f, plot, s.y, y_ticks, y_title, true);
  paint_x_axis(sheet, plot, s.x, ticks_across(s.x, plot.width, 8), x_title, false);

  // Half a line's width may stick out at the edges.
  const auto clipped = d.clip({plot.left - 4, plot.top - 4, plot.width + 8, plot.height + 8});
  const int columns = std::max(1, static_cast<int>(static_cast<int>(plot.width) * d.pixels_per_point()));
  const int rows = std::max(1, static_cast<int>(static_cast<int>(plot.height) * d.pixels_per_point()));
  for (std::size_t k = 0; k < series.size(); ++k) {
    if (sheet.view.is_hidden(k)) continue;
    const workbook::series& drawn = series[k];
    const colour c = series_colour(k);
    if (drawn.style == drawn_as::bins)
      paint_bins(d, plot, reduced_bins(drawn, sheet.data.within(*this, k, s), s.x, s.y, columns), c);
    if (has_line(drawn.style)) paint_line(d, plot, sheet.data.line(*this, k, s, columns), c);
    if (has_points(drawn.style)) paint_points(d, plot, sheet.data.points(*this, k, s, columns, rows), k, columns, rows);
    if (!drawn.spread.empty()) paint_spread(d, plot, drawn, sheet.data.within(*this, k, s), s, c);
  }
  stacked_labels labels;
  for (const reference_line& r : references) paint_reference(sheet, plot, r, s, labels);
  return g;
}

}  // namespace workbook
