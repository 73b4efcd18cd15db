#include "viewer/plot/readings.h"

#include <algorithm>
#include <cmath>

#include "workbook/number_text.h"

namespace viewer {
namespace {

using workbook::position;
using reading = plot_widget::reading;

constexpr double reach = 24;  // points on the screen
constexpr int digits = 5;

std::string with_unit(double v, const workbook::axis& a) {
  const std::string number = workbook::significant(v, digits);
  return a.unit.empty() ? number : number + " " + a.unit;
}

std::string name_of(const workbook::axis& a, const char* otherwise) { return a.label.empty() ? otherwise : a.label; }

// Of points whose x never falls, the one nearest in x; among those that have a value, at most a few away.
std::optional<std::size_t> nearest_in_x(const workbook::series& s, double x) {
  const std::size_t n = s.y.size();
  if (n == 0) return {};
  std::size_t low = 0, high = n;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (x_of(s, middle) < x)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == n || (low > 0 && x - x_of(s, low - 1) < x_of(s, low) - x)) --low;
  return low;
}

std::optional<std::size_t> nearest_on_screen(const workbook::series& s, const workbook::picture_geometry& g,
                                             workbook::point_range part, position at) {
  const position here = g.to_picture(at);
  double best = reach;
  std::optional<std::size_t> found;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const position there = g.to_picture({x_of(s, i), s.y[i]});
    const double distance = std::hypot(there.x - here.x, there.y - here.y);
    if (distance < best) {
      best = distance;
      found = i;
    }
  }
  return found;
}

struct reader {
  const workbook::plot_view& view;
  const workbook::picture_geometry& g;
  const kept_data& data;
  position at;
  std::vector<reading>& out;

  void operator()(const workbook::xy_plot& p) const {
    out.push_back({name_of(p.x, "x"), with_unit(p.x.whole ? std::round(at.x) : at.x, p.x), at.x, at.y});
    for (std::size_t k = 0; k < p.series.size(); ++k) {
      const workbook::series& s = p.series[k];
      if (view.is_hidden(k)) continue;
      std::optional<std::size_t> i;
      const auto* sorted = data.index(k);
      if (sorted != nullptr && s.style != workbook::drawn_as::points) {
        i = nearest_in_x(s, at.x);
      } else {
        const workbook::point_range part =
            sorted != nullptr ? sorted->within(s, g.shown->x) : workbook::point_range{0, s.y.size()};
        if (part.end - part.begin <= kept_data::many) i = nearest_on_screen(s, g, part, at);
      }
      if (!i) continue;
      const double x = x_of(s, *i), y = s.y[*i];
      std::string text = std::isnan(y) ? "no value" : with_unit(y, p.y);
      if (s.style == workbook::drawn_as::points) text = workbook::significant(x, digits) + ", " + text;
      out.push_back({s.name.empty() ? name_of(p.y, "y") : s.name, text, x, y, k});
    }
  }

  void operator()(const workbook::bar_plot& p) const {
    if (!(at.y >= 0 && at.y < static_cast<double>(p.categories.size()))) return;
    const auto c = static_cast<std::size_t>(at.y);
    out.push_back({p.categories[c], "", at.x, static_cast<double>(c) + 0.5});
    for (std::size_t k = 0; k < p.groups.size(); ++k) {
      if (view.is_hidden(k)) continue;
      const workbook::bars& b = p.groups[k];
      out.push_back({b.name.empty() ? name_of(p.value, "value") : b.name, with_unit(b.values[c], p.value), b.values[c],
                     static_cast<double>(c) + 0.5, k});
    }
  }

  void operator()(const workbook::heat_map& h) const {
    out.push_back({name_of(h.x, "x"), with_unit(at.x, h.x), at.x, at.y});
    out.push_back({name_of(h.y, "y"), with_unit(at.y, h.y), at.x, at.y});
    const double column = g.all->x(at.x) * static_cast<double>(h.columns);
    const double row = (1 - g.all->y(at.y)) * static_cast<double>(h.rows);
    if (!(column >= 0 && column < static_cast<double>(h.columns) && row >= 0 && row < static_cast<double>(h.rows)))
      return;
    const double v = h.values[static_cast<std::size_t>(row) * h.columns + static_cast<std::size_t>(column)];
    out.push_back({name_of(h.value, "value"), std::isnan(v) ? "no value" : with_unit(v, h.value), at.x, at.y});
  }

  void operator()(const workbook::access_picture&) const {}
};

}  // namespace

std::vector<reading> readings_at(const workbook::plot& p, const workbook::plot_view& view,
                                 const workbook::picture_geometry& g, const kept_data& data, position at) {
  std::vector<reading> out;
  if (g.shown) std::visit(reader{view, g, data, at, out}, p);
  return out;
}

}  // namespace viewer
