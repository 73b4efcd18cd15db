// A diagram as data: what it requires of its parts, JSON and CSV.

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "runtime/core/error.h"
#include "workbook/diagram.h"
#include "workbook/picture/readings.h"
#include "workbook/plot/csv_file.h"
#include "workbook/plot/diagram_layout.h"

namespace workbook {
namespace {

using json = nlohmann::ordered_json;

constexpr double most_units = 200;  // across and down: more can't be told apart on a page

json json_group(const std::optional<std::size_t>& group) { return group ? json(*group) : json(nullptr); }

}  // namespace

std::size_t diagram::add(diagram_cell cell) {
  cells.push_back(std::move(cell));
  return cells.size() - 1;
}

void diagram::validate() const {
  const std::string asked = fmt::format("the diagram \"{}\"", title);
  const auto check_group = [&](const char* part, std::size_t k, const std::optional<std::size_t>& group) {
    if (group && *group >= groups.size())
      throw gs::error(asked, fmt::format("{} {} is of group {} among {}", part, k, *group, groups.size()),
                      "count groups from 0");
  };
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const diagram_cell& c = cells[k];
    if (!std::isfinite(c.x) || !std::isfinite(c.y))
      throw gs::error(asked, fmt::format("cell {} lies at ({}, {})", k, c.x, c.y), "give finite numbers");
    if (!(c.width > 0 && c.height > 0))
      throw gs::error(asked, fmt::format("cell {} is {} wide and {} high", k, c.width, c.height),
                      "give positive numbers");
    check_group("cell", k, c.group);
  }
  for (std::size_t k = 0; k < arrows.size(); ++k) {
    for (const std::size_t end : {arrows[k].from, arrows[k].to})
      if (end >= cells.size())
        throw gs::error(asked, fmt::format("arrow {} ends at cell {} among {}", k, end, cells.size()),
                        "count cells from 0");
    if (arrows[k].from == arrows[k].to)
      throw gs::error(asked, fmt::format("arrow {} leads from cell {} to itself", k, arrows[k].from), "give two cells");
    check_group("arrow", k, arrows[k].group);
  }
  const diagram_extent extent = extent_of(*this);
  if (!(extent.width <= most_units && extent.height <= most_units))
    throw gs::error(asked, fmt::format("its cells take {} x {} units", extent.width, extent.height),
                    fmt::format("give at most {} in each direction", most_units));
  if (!(unit_width > 0 && unit_height > 0 && unit_width <= 1000 && unit_height <= 1000))
    throw gs::error(asked, fmt::format("a unit is {} x {} points", unit_width, unit_height),
                    "give more than 0 and at most 1000");
}

value_count diagram::count_values() const { return {}; }

std::vector<std::string> diagram::names() const { return {}; }

json diagram::to_json() const {
  json object = {
      {"kind", "diagram"}, {"title", title}, {"groups", groups}, {"cells", json::array()}, {"arrows", json::array()}};
  for (const diagram_cell& c : cells)
    object["cells"].push_back({{"x", c.x},
                               {"y", c.y},
                               {"width", c.width},
                               {"height", c.height},
                               {"text", c.text},
                               {"group", json_group(c.group)}});
  for (const diagram_arrow& a : arrows)
    object["arrows"].push_back({{"from", a.from}, {"to", a.to}, {"group", json_group(a.group)}});
  return object;
}

void diagram::write_csv(csv_file& file, const plot_view& /*view*/) const {
  for (const char* name : {"cell", "x", "y", "width", "height", "text", "group", "arrows to"}) file.put(name);
  file.end_line();
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const diagram_cell& c = cells[k];
    file.put(fmt::format("{}", k));
    for (const double number : {c.x, c.y, c.width, c.height}) file.put(number);
    file.put(c.text);
    file.put(c.group ? groups[*c.group] : "");
    std::string ends;
    for (const diagram_arrow& a : arrows)
      if (a.from == k) ends += fmt::format("{}{}", ends.empty() ? "" : " ", a.to);
    file.put(ends);
    file.end_line();
  }
}

std::vector<plot_reading> diagram::readings(const crosshair& /*c*/) const { return {}; }

}  // namespace workbook
