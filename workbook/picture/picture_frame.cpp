#include "workbook/picture/picture_frame.h"

#include <algorithm>
#include <cmath>

namespace workbook {
namespace {

constexpr double tick_length = 4;

bool inside(double fraction) { return fraction >= -1e-9 && fraction <= 1 + 1e-9; }

// An axis with a single number tells nothing: too many are better.
tick_marks few_ticks(const scale& s, int count, int most) {
  tick_marks marks;
  for (count = std::max(count, 2); count <= most; ++count) {
    marks = ticks_for(s, count);
    const auto shown = [&](const tick& t) { return !t.label.empty() && inside(s(t.at)); };
    if (std::ranges::count_if(marks.ticks, shown) > 1) break;
  }
  return marks;
}

void paint_sample(const sheet& s, double x, double y, const legend_entry& e) {
  const colour c = e.hidden ? s.look.unused : e.ink;
  if (e.patch) s.d.fill({x + 4, y - 9, 11, 11}, c);
  if (e.line) s.d.stroke({{x, y - 4}, {x + 18, y - 4}}, c, 2);
  if (e.marker) s.d.marker({x + 9, y - 4}, 3.5, e.shape, c);
}

}  // namespace

frame frame_for(picture_size size) {
  frame f;
  if (size.width < 300 || size.height < 200) f.border = 8;
  f.title = size.height >= 110;
  f.legend = size.height >= 150;
  f.axis_titles = size.width >= 240 && size.height >= 180;
  return f;
}

tick_marks ticks_across(const scale& x, double width, int usual) {
  if (width < 40.0 * usual) return few_ticks(x, static_cast<int>(width / 60), usual);
  return ticks_for(x, std::max(usual, static_cast<int>(width / 140)));
}

tick_marks ticks_along(const scale& y, double height, int usual) {
  if (height < 26.0 * usual) return few_ticks(y, static_cast<int>(height / 26), usual);
  return ticks_for(y, std::max(usual, static_cast<int>(height / 90)));
}

double paint_head(const sheet& s, const frame& f, const std::string& title, const std::vector<legend_entry>& legend,
                  std::vector<box>* places) {
  canvas& d = s.d;
  if (places != nullptr) places->assign(legend.size(), box{});
  double y = f.border;
  const double room = s.size.width - 2 * f.border;
  if (!title.empty() && f.title) {
    y += 14;
    font bold = title_font;
    bold.size = std::clamp(bold.size * room / std::max(d.width_of(title, bold), 1.0), 12.5, bold.size);
    d.text({f.border, y}, d.fitted(title, bold, room), bold, s.look.ink);
    y += 8;
  }
  if (!f.legend) return y;
  double x = f.border;
  bool begun = false;
  for (std::size_t k = 0; k < legend.size(); ++k) {
    const legend_entry& e = legend[k];
    if (e.name.empty()) continue;
    const std::string name = d.fitted(e.name, label_font, room - 24);
    const double needed = 24 + d.width_of(name, label_font);
    if (!begun) {
      y += 16;
      begun = true;
    } else if (x + needed > s.size.width - f.border) {
      x = f.border;
      y += 18;
    }
    paint_sample(s, x, y, e);
    d.text({x + 24, y}, name, label_font, e.hidden ? s.look.axis : s.look.ink);
    if (places != nullptr) (*places)[k] = {x, y - 13, needed, 18};
    x += needed + 20;
  }
  return y + (begun ? 6 : 0);
}

double widest_label(canvas& d, const tick_marks& marks) {
  double widest = 0;
  for (const tick& t : marks.ticks) widest = std::max(widest, d.width_of(t.label, tick_font));
  return widest;
}

void paint_x_axis(const sheet& s, const box& plot, const scale& x, const tick_marks& marks, const std::string& title,
                  bool grid) {
  canvas& d = s.d;
  double free_from = 0;
  for (const tick& t : marks.ticks) {
    const double fraction = x(t.at);
    if (!inside(fraction)) continue;
    const double at = plot.left + fraction * plot.width;
    const bool major = !t.label.empty();
    if (grid && major) d.stroke({{at, plot.top}, {at, plot.bottom()}}, s.look.grid, 1);
    d.stroke({{at, plot.bottom()}, {at, plot.bottom() + (major ? tick_length : tick_length / 2)}}, s.look.axis, 1);
    const double half = d.width_of(t.label, tick_font) / 2;
    if (!major || at - half < free_from) continue;  // a label never touches the one before it
    d.text({at, plot.bottom() + 17}, t.label, tick_font, s.look.faint_ink, aligned::centre);
    free_from = at + half + 6;
  }
  d.stroke({{plot.left, plot.bottom()}, {plot.right(), plot.bottom()}}, s.look.axis, 1);
  d.text({plot.left + plot.width / 2, plot.bottom() + 36}, d.fitted(title, label_font, plot.width), label_font,
         s.look.ink, aligned::centre);
}

void paint_y_axis(const sheet& s, const frame& f, const box& plot, const scale& y, const tick_marks& marks,
                  const std::string& title, bool grid) {
  canvas& d = s.d;
  for (const tick& t : marks.ticks) {
    const double fraction = y(t.at);
    if (!inside(fraction)) continue;
    const double at = plot.bottom() - fraction * plot.height;
    const bool major = !t.label.empty();
    if (grid && major) d.stroke({{plot.left, at}, {plot.right(), at}}, s.look.grid, 1);
    d.stroke({{plot.left - (major ? tick_length : tick_length / 2), at}, {plot.left, at}}, s.look.axis, 1);
    d.text({plot.left - 8, at + 4}, t.label, tick_font, s.look.faint_ink, aligned::right);
  }
  d.stroke({{plot.left, plot.top}, {plot.left, plot.bottom()}}, s.look.axis, 1);
  // Above the axis rather than beside it, where it would have to be read sideways.
  d.text({f.border, plot.top - 12}, d.fitted(title, label_font, plot.right() - f.border), label_font, s.look.ink);
}

}  // namespace workbook
