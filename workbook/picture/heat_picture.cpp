#include <algorithm>
#include <cmath>

#include "workbook/picture/picture_frame.h"
#include "workbook/plot/reduce.h"

namespace workbook {
namespace {

constexpr int pixels_per_point = 2;
constexpr double bar_width = 14, bar_gap = 18;

std::uint32_t pixel(colour c) {
  return 0xFF000000u | static_cast<std::uint32_t>(c.red) << 16 | static_cast<std::uint32_t>(c.green) << 8 | c.blue;
}

// Every pixel of the picture is set here, so that no viewer of an SVG file smooths the elements into each other.
void paint_matrix(drawing& d, const box& plot, const heat_map& h, const scale& value) {
  const int columns = std::max(1, static_cast<int>(plot.width * pixels_per_point));
  const int rows = std::max(1, static_cast<int>(plot.height * pixels_per_point));
  const reduced_matrix m = reduced_heat_map(h, rows, columns);
  if (m.rows == 0 || m.columns == 0) return;
  std::vector<std::uint32_t> pixels(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), 0);
  std::size_t at = 0;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c, ++at) {
      const int row = static_cast<int>(static_cast<long>(r) * m.rows / rows);
      const int column = static_cast<int>(static_cast<long>(c) * m.columns / columns);
      const double v = value(m.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(m.columns) +
                                      static_cast<std::size_t>(column)]);
      if (!std::isnan(v)) pixels[at] = pixel(map_colour(h.colours, v));
    }
  d.image(plot, pixels, columns, rows);
}

}  // namespace

void paint_heat_map(drawing& d, const heat_map& h, picture_size size) {
  const scale value = value_scale_for(h);
  const xy_scales s = scales_for(h);
  const double head = paint_head(d, h.title, {}, size.width);
  const tick_marks y_ticks = ticks_for(s.y, 6), value_ticks = ticks_for(value, 6);
  const std::string y_title = axis_title(h.y, y_ticks.exponent);
  const std::string value_title = axis_title(h.value, value_ticks.exponent);
  const double top = head + (y_title.empty() && value_title.empty() ? 12 : 32);
  const double left = border + widest_label(d, y_ticks) + 8;
  const double value_labels = widest_label(d, value_ticks) + 10;
  const double title_width = d.width_of(value_title, label_font);
  const double right = std::max(bar_gap + bar_width + value_labels, bar_gap + title_width);
  box plot{left, top, size.width - border - right - left, size.height - top - border - 30};

  // Elements are drawn as squares unless that would make the plot a ribbon.
  const double aspect = h.columns > 0 ? static_cast<double>(h.rows) / static_cast<double>(h.columns) : 1;
  if (aspect > 0.3 && aspect < 3) {
    if (plot.width * aspect > plot.height)
      plot.width = plot.height / aspect;
    else
      plot.height = plot.width * aspect;
  }
  paint_matrix(d, plot, h, value);
  const tick_marks x_ticks = ticks_for(s.x, std::max(2, static_cast<int>(plot.width / 80)));
  paint_y_axis(d, plot, s.y, y_ticks, y_title, false);
  paint_x_axis(d, plot, s.x, x_ticks, axis_title(h.x, x_ticks.exponent), false);

  const box bar{plot.right() + bar_gap, plot.top, bar_width, plot.height};
  std::vector<std::uint32_t> gradient;
  constexpr int shades = 256;
  for (int k = 0; k < shades; ++k) gradient.push_back(pixel(map_colour(h.colours, 1 - (k + 0.5) / shades)));
  d.image(bar, gradient, 1, shades);
  // The light ends of the maps are hardly darker than paper.
  for (const box& b : {plot, bar})
    d.stroke({{b.left, b.top}, {b.right(), b.top}, {b.right(), b.bottom()}, {b.left, b.bottom()}, {b.left, b.top}},
             axis_ink, 0.75);
  for (const tick& t : value_ticks.ticks) {
    const double fraction = value(t.at);
    if (t.label.empty() || !(fraction >= -1e-9 && fraction <= 1 + 1e-9)) continue;
    const double y = bar.bottom() - fraction * bar.height;
    d.stroke({{bar.right(), y}, {bar.right() + 4, y}}, axis_ink, 1);
    d.text({bar.right() + 8, y + 4}, t.label, tick_font, faint_ink);
  }
  d.text({bar.left, bar.top - 12}, value_title, label_font, ink);
}

}  // namespace workbook
