// A heat map as data: what it asks of its parts, JSON, CSV, and values beside the crosshair.

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "workbook/json/json_values.h"
#include "workbook/picture/readings.h"
#include "workbook/plot/csv_file.h"
#include "workbook/plot/reduce.h"
#include "workbook/plot_kinds/valid_parts.h"

namespace workbook {
namespace {

using json = nlohmann::ordered_json;

}  // namespace

void heat_map::validate() const {
  check_axis(title, "x", x);
  check_axis(title, "y", y);
  check_axis(title, "value", value);
  check_length(title, fmt::format("the matrix of {} rows and {} columns", rows, columns), values.size(),
               rows * columns);
}

value_count heat_map::count_values() const {
  value_count count;
  count.add(values);
  return count;
}

std::vector<std::string> heat_map::names() const { return {}; }

nlohmann::ordered_json heat_map::to_json() const {
  // At most 100 x 100 means: the picture at a glance, not the data.
  const reduced_matrix m = reduced_heat_map(*this, 100, 100);
  json list = json::array();
  for (int r = 0; r < m.rows; ++r) {
    json row = json::array();
    for (int c = 0; c < m.columns; ++c)
      row.push_back(json_number(
          m.values[static_cast<std::size_t>(r) * static_cast<std::size_t>(m.columns) + static_cast<std::size_t>(c)]));
    list.push_back(row);
  }
  return {{"kind", "heat map"},
          {"title", title},
          {"x", json_axis(x)},
          {"y", json_axis(y)},
          {"value", json_axis(value)},
          {"rows", rows},
          {"columns", columns},
          {"reduced", m.values.size() < values.size()},
          {"values", list}};
}

void heat_map::write_csv(csv_file& file, const plot_view& view) const {
  const xy_scales scales = scales_for(*this);
  const auto middle_x = [&](std::size_t c) {
    return scales.x.at((static_cast<double>(c) + 0.5) / static_cast<double>(columns));
  };
  const auto middle_y = [&](std::size_t r) {
    return scales.y.at(1 - (static_cast<double>(r) + 0.5) / static_cast<double>(rows));
  };
  std::vector<std::size_t> shown;
  for (std::size_t c = 0; c < columns; ++c)
    if (in_range(view.x, middle_x(c))) shown.push_back(c);
  file.put(column_name(y, "y") + " \\ " + column_name(x, "x"));
  for (const std::size_t c : shown) file.put(middle_x(c));
  file.end_line();
  for (std::size_t r = 0; r < rows; ++r) {
    if (!in_range(view.y, middle_y(r))) continue;
    file.put(middle_y(r));
    for (const std::size_t c : shown) file.put(values[r * columns + c]);
    file.end_line();
  }
}

std::vector<plot_reading> heat_map::readings(const crosshair& c) const {
  std::vector<plot_reading> out;
  out.push_back({reading_name(x, "x"), reading_text(c.at.x, x), c.at.x, c.at.y});
  out.push_back({reading_name(y, "y"), reading_text(c.at.y, y), c.at.x, c.at.y});
  const double column_at = c.geometry.full_scales->x(c.at.x) * static_cast<double>(columns);
  const double row_at = (1 - c.geometry.full_scales->y(c.at.y)) * static_cast<double>(rows);
  if (!(column_at >= 0 && column_at < static_cast<double>(columns) && row_at >= 0 &&
        row_at < static_cast<double>(rows)))
    return out;
  const double v = values[static_cast<std::size_t>(row_at) * columns + static_cast<std::size_t>(column_at)];
  out.push_back({reading_name(value, "value"), std::isnan(v) ? "no value" : reading_text(v, value), c.at.x, c.at.y});
  return out;
}

}  // namespace workbook
