#include "workbook/picture/picture_frame.h"

#include <algorithm>
#include <cmath>

namespace workbook {
namespace {

constexpr double tick_length = 4;

bool inside(double fraction) { return fraction >= -1e-9 && fraction <= 1 + 1e-9; }

void paint_sample(drawing& d, double x, double y, const legend_entry& e) {
  if (e.patch) d.fill({x + 4, y - 9, 11, 11}, e.ink);
  if (e.line) d.stroke({{x, y - 4}, {x + 18, y - 4}}, e.ink, 2);
  if (e.marker) d.marker({x + 9, y - 4}, 3.5, e.shape, e.ink);
}

}  // namespace

double paint_head(drawing& d, const std::string& title, const std::vector<legend_entry>& legend, double width) {
  double y = border;
  const double room = width - 2 * border;
  if (!title.empty()) {
    y += 14;
    font f = title_font;
    f.size = std::clamp(f.size * room / std::max(d.width_of(title, f), 1.0), 12.5, f.size);
    d.text({border, y}, d.fitted(title, f, room), f, ink);
    y += 8;
  }
  double x = border;
  bool begun = false;
  for (const legend_entry& e : legend) {
    const std::string name = d.fitted(e.name, label_font, room - 24);
    const double needed = 24 + d.width_of(name, label_font);
    if (!begun) {
      y += 16;
      begun = true;
    } else if (x + needed > width - border) {
      x = border;
      y += 18;
    }
    paint_sample(d, x, y, e);
    d.text({x + 24, y}, name, label_font, ink);
    x += needed + 20;
  }
  return y + (begun ? 6 : 0);
}

double widest_label(drawing& d, const tick_marks& marks) {
  double widest = 0;
  for (const tick& t : marks.ticks) widest = std::max(widest, d.width_of(t.label, tick_font));
  return widest;
}

void paint_x_axis(drawing& d, const box& plot, const scale& x, const tick_marks& marks, const std::string& title,
                  bool grid) {
  double free_from = 0;
  for (const tick& t : marks.ticks) {
    const double fraction = x(t.at);
    if (!inside(fraction)) continue;
    const double at = plot.left + fraction * plot.width;
    const bool major = !t.label.empty();
    if (grid && major) d.stroke({{at, plot.top}, {at, plot.bottom()}}, grid_ink, 1);
    d.stroke({{at, plot.bottom()}, {at, plot.bottom() + (major ? tick_length : tick_length / 2)}}, axis_ink, 1);
    const double half = d.width_of(t.label, tick_font) / 2;
    if (!major || at - half < free_from) continue;  // a label never touches the one before it
    d.text({at, plot.bottom() + 17}, t.label, tick_font, faint_ink, aligned::centre);
    free_from = at + half + 6;
  }
  d.stroke({{plot.left, plot.bottom()}, {plot.right(), plot.bottom()}}, axis_ink, 1);
  d.text({plot.left + plot.width / 2, plot.bottom() + 36}, d.fitted(title, label_font, plot.width), label_font, ink,
         aligned::centre);
}

void paint_y_axis(drawing& d, const box& plot, const scale& y, const tick_marks& marks, const std::string& title,
                  bool grid) {
  for (const tick& t : marks.ticks) {
    const double fraction = y(t.at);
    if (!inside(fraction)) continue;
    const double at = plot.bottom() - fraction * plot.height;
    const bool major = !t.label.empty();
    if (grid && major) d.stroke({{plot.left, at}, {plot.right(), at}}, grid_ink, 1);
    d.stroke({{plot.left - (major ? tick_length : tick_length / 2), at}, {plot.left, at}}, axis_ink, 1);
    d.text({plot.left - 8, at + 4}, t.label, tick_font, faint_ink, aligned::right);
  }
  d.stroke({{plot.left, plot.top}, {plot.left, plot.bottom()}}, axis_ink, 1);
  // Above the axis rather than beside it, where it would have to be read sideways.
  d.text({border, plot.top - 12}, d.fitted(title, label_font, plot.right() - border), label_font, ink);
}

}  // namespace workbook
