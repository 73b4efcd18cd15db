// A diagram as a picture.

#include <algorithm>
#include <cmath>

#include "workbook/picture/picture_frame.h"
#include "workbook/plot/diagram_layout.h"

namespace workbook {
namespace {

constexpr double widest = 720, narrowest = 360;
constexpr double inset = 1.5, rim = 1.25;             // of a cell
constexpr double gap = 3, head_length = 7, head = 4;  // of an arrow: before what it leads to; its head, half as wide
constexpr double below_head = 16;

double unit_width_of(const diagram& d) { return std::min(d.unit_width, (widest - 2 * border) / extent_of(d).width); }

// Enough of the colour to be told apart, little enough for letters on top.
colour tint_of(colour c, colour paper) {
  const auto mixed = [](std::uint8_t of_paper, std::uint8_t of_colour) {
    return static_cast<std::uint8_t>(std::lround(0.72 * of_paper + 0.28 * of_colour));
  };
  return {mixed(paper.red, c.red), mixed(paper.green, c.green), mixed(paper.blue, c.blue)};
}

void paint_cell(const sheet& s, const diagram_cell& c, const box& area) {
  const box b{area.left + inset, area.top + inset, std::max(area.width - 2 * inset, 1.0),
              std::max(area.height - 2 * inset, 1.0)};
  if (c.group) {
    s.d.fill(b, tint_of(series_colour(*c.group), s.look.paper));
    s.d.stroke({{b.left, b.top}, {b.right(), b.top}, {b.right(), b.bottom()}, {b.left, b.bottom()}, {b.left, b.top}},
               series_colour(*c.group), rim);
  }
  font letters = label_font;
  const double room = c.group ? b.width - 4 : b.width;
  letters.size =
      std::clamp(0.97 * letters.size * room / std::max(s.d.width_of(c.text, letters), 1.0), 8.0, letters.size);
  s.d.text({b.left + b.width / 2, b.top + b.height / 2 + 0.36 * letters.size}, s.d.fitted(c.text, letters, room),
           letters, s.look.ink, aligned::centre);
}

void paint_arrow(const sheet& s, position from, position to, colour c) {
  const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  if (length < gap + 1) return;
  const double ux = dx / length, uy = dy / length;
  const position tip{to.x - gap / 2 * ux, to.y - gap / 2 * uy},
      neck{tip.x - head_length * ux, tip.y - head_length * uy};
  s.d.stroke({{from.x + gap / 2 * ux, from.y + gap / 2 * uy}, tip}, c, 1.5);
  s.d.stroke({{neck.x - head * uy, neck.y + head * ux}, tip, {neck.x + head * uy, neck.y - head * ux}}, c, 1.5);
}

std::vector<legend_entry> legend_of(const diagram& d) {
  std::vector<legend_entry> legend;
  for (const diagram_key& key : keys_of(d))
    legend.push_back(
        {.name = d.groups[key.group], .ink = series_colour(key.group), .line = !key.of_cells, .patch = key.of_cells});
  return legend;
}

// How many rows a legend takes is known only when letters are measured; this is a cautious guess.
double height_of_legend(const diagram& d, double width) {
  double used = 0, rows = 0;
  for (const diagram_key& key : keys_of(d)) {
    const double needed = 44 + 7.5 * static_cast<double>(d.groups[key.group].size());
    if (rows == 0 || used + needed > width - 2 * border) ++rows, used = 0;
    used += needed;
  }
  return rows == 0 ? 0 : 18 * rows + 4;
}

}  // namespace

picture_size diagram::size() const {
  const diagram_extent extent = extent_of(*this);
  const double width = std::clamp(2 * border + extent.width * unit_width_of(*this), narrowest, widest);
  const double title_height = title.empty() ? 0 : 22;
  return {
      std::ceil(width),
      std::ceil(2 * border + title_height + height_of_legend(*this, width) + below_head + extent.height * unit_height),
      true};
}

picture_geometry diagram::paint(const sheet& s) const {
  const diagram_extent extent = extent_of(*this);
  const double unit = unit_width_of(*this);
  const double top = paint_head(s, {}, title, legend_of(*this)) + below_head;
  const double left = (s.size.width - extent.width * unit) / 2;
  const auto place = [&](double x, double y) {
    return position{left + (x - extent.left) * unit, top + (y - extent.top) * unit_height};
  };
  for (const diagram_cell& c : cells) {
    const position at = place(c.x, c.y);
    paint_cell(s, c, {at.x, at.y, c.width * unit, c.height * unit_height});
  }
  for (const diagram_arrow& arrow : arrows)
    if (const auto line = line_of(*this, arrow))
      paint_arrow(s, place(line->from_x, line->from_y), place(line->to_x, line->to_y),
                  arrow.group ? series_colour(*arrow.group) : s.look.faint_ink);
  return {};
}

}  // namespace workbook
