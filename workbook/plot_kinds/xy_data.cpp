// An xy plot as data: what it asks of its parts, JSON, CSV, and values beside the crosshair.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "workbook/json/json_values.h"
#include "workbook/number_text.h"
#include "workbook/picture/readings.h"
#include "workbook/plot/csv_file.h"
#include "workbook/plot/reduce.h"
#include "workbook/plot/series_index.h"
#include "workbook/plot_kinds/valid_parts.h"

namespace workbook {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t most_points = 10'000;
constexpr int pieces = 5'000;
constexpr double reach = 24;  // points on the screen

std::string style_name(drawn_as style) {
  switch (style) {
    case drawn_as::line:
      return "line";
    case drawn_as::points:
      return "points";
    case drawn_as::line_and_points:
      return "line and points";
    case drawn_as::bins:
      return "bins";
  }
  return "?";
}

// Least and greatest value of each piece of the index range, in the order they come.
void describe_reduced(const series& s, json& object) {
  json x = json::array(), y = json::array();
  const std::size_t n = s.y.size();
  for (std::size_t k = 0; k < pieces; ++k) {
    const std::size_t begin = k * n / pieces, end = (k + 1) * n / pieces;
    std::size_t low = end, high = end;
    for (std::size_t i = begin; i < end; ++i) {
      if (std::isnan(s.y[i])) continue;
      if (low == end || s.y[i] < s.y[low]) low = i;
      if (high == end || s.y[i] > s.y[high]) high = i;
    }
    if (low == end) low = high = begin;
    for (std::size_t i : {std::min(low, high), std::max(low, high)}) {
      x.push_back(json_number(x_of(s, i)));
      y.push_back(json_number(s.y[i]));
    }
  }
  object["x"] = x;
  object["y"] = y;
}

json describe(const series& s) {
  json object = {
      {"name", s.name}, {"style", style_name(s.style)}, {"points", s.y.size()}, {"reduced", s.y.size() > most_points}};
  if (s.y.size() > most_points) {
    describe_reduced(s, object);
    return object;
  }
  object["x"] = s.x.empty() ? json_numbers(samples::regular(0, 1, s.y.size())) : json_numbers(s.x);
  object["y"] = json_numbers(s.y);
  if (!s.spread.empty()) object["spread"] = json_numbers(s.spread);
  return object;
}

// Of points whose x never falls, the one nearest in x; among those that have a value, at most a few away.
std::optional<std::size_t> nearest_in_x(const series& s, double x) {
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

std::optional<std::size_t> nearest_on_screen(const series& s, const picture_geometry& g, point_range part,
                                             position at) {
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

}  // namespace

void xy_plot::validate() const {
  check_axis(title, "x", x);
  check_axis(title, "y", y);
  for (const workbook::series& s : series) {
    if (!s.x.empty()) check_length(title, fmt::format("x of \"{}\"", s.name), s.x.size(), s.y.size());
    if (!s.spread.empty()) check_length(title, fmt::format("spread of \"{}\"", s.name), s.spread.size(), s.y.size());
  }
}

value_count xy_plot::count_values() const {
  value_count count;
  for (const workbook::series& s : series) count.add(s.y);
  return count;
}

std::vector<std::string> xy_plot::names() const {
  std::vector<std::string> names;
  for (const workbook::series& s : series) names.push_back(s.name);
  return names;
}

nlohmann::ordered_json xy_plot::to_json() const {
  json object = {{"kind", "xy plot"}, {"title", title},          {"x", json_axis(x)},
                 {"y", json_axis(y)}, {"series", json::array()}, {"references", json::array()}};
  for (const workbook::series& s : series) object["series"].push_back(describe(s));
  for (const reference_line& r : references)
    object["references"].push_back({{"at", json_number(r.at)}, {"label", r.label}, {"vertical", r.vertical}});
  return object;
}

void xy_plot::write_csv(csv_file& file, const plot_view& view) const {
  const bool spread = std::ranges::any_of(series, [](const workbook::series& s) { return !s.spread.empty(); });
  file.put("series");
  file.put(column_name(x, "x"));
  file.put(column_name(y, "y"));
  if (spread) file.put("spread");
  file.end_line();
  for (std::size_t k = 0; k < series.size(); ++k) {
    if (view.is_hidden(k)) continue;
    const workbook::series& s = series[k];
    for (std::size_t i = 0; i < s.y.size(); ++i) {
      const double x_there = x_of(s, i), y_there = s.y[i];
      if (!in_range(view.x, x_there) || !in_range(view.y, y_there)) continue;
      file.put(s.name);
      file.put(x_there);
      file.put(y_there);
      if (spread) file.put(s.spread.empty() ? std::nan("") : s.spread[i]);
      file.end_line();
    }
  }
}

std::vector<plot_reading> xy_plot::readings(const crosshair& c) const {
  std::vector<plot_reading> out;
  out.push_back({reading_name(x, "x"), reading_text(x.whole ? std::round(c.at.x) : c.at.x, x), c.at.x, c.at.y});
  for (std::size_t k = 0; k < series.size(); ++k) {
    const workbook::series& s = series[k];
    if (c.view.is_hidden(k)) continue;
    std::optional<std::size_t> i;
    const auto* sorted = c.data.index(k);
    if (sorted != nullptr && s.style != drawn_as::points) {
      i = nearest_in_x(s, c.at.x);
    } else {
      const point_range part = sorted != nullptr ? sorted->within(s, c.geometry.shown->x) : point_range{0, s.y.size()};
      if (part.end - part.begin <= plot_reader::many) i = nearest_on_screen(s, c.geometry, part, c.at);
    }
    if (!i) continue;
    const double x_there = x_of(s, *i), y_there = s.y[*i];
    std::string text = std::isnan(y_there) ? "no value" : reading_text(y_there, y);
    if (s.style == drawn_as::points) text.insert(0, significant(x_there, reading_digits) + ", ");
    out.push_back({s.name.empty() ? reading_name(y, "y") : s.name, text, x_there, y_there, k, true});
  }
  return out;
}

}  // namespace workbook
