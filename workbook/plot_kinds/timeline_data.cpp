// A timeline as data: what it is made of, what it requires of its parts, JSON, CSV, and values beside the crosshair.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "runtime/core/error.h"
#include "workbook/json/json_values.h"
#include "workbook/picture/readings.h"
#include "workbook/plot/csv_file.h"
#include "workbook/plot_kinds/timeline_scales.h"
#include "workbook/plot_kinds/valid_parts.h"

namespace workbook {
namespace {

using json = nlohmann::ordered_json;

}  // namespace

scale time_scale_of(const timeline& t) {
  interval range;
  for (const timeline_bar& b : t.bars)
    for (const double end : {b.start, b.stop})
      if (std::isfinite(end) && (!t.time.log || end > 0)) range.add(end);
  return scale_for(t.time, range, 0);
}

scale row_scale_of(const timeline& t) {
  return {static_cast<double>(std::max<std::size_t>(t.rows.size(), 1)), 0, false};
}

timeline timeline::of(std::string title, std::span<const gs::timeline_entry> entries) {
  timeline t{.title = std::move(title)};
  std::size_t streams = 0;
  for (const gs::timeline_entry& e : entries) {
    const std::string group = to_string(e.kind);
    auto found = std::ranges::find(t.groups, group);
    if (found == t.groups.end()) found = t.groups.insert(found, group);
    t.bars.push_back({.row = e.stream,
                      .group = static_cast<std::size_t>(found - t.groups.begin()),
                      .start = 1e3 * e.start,
                      .stop = 1e3 * e.stop,
                      .text = e.kind == gs::timeline_kind::launch ? e.name : ""});
    streams = std::max(streams, e.stream + 1);
  }
  for (std::size_t s = 0; s < streams; ++s) t.rows.push_back(fmt::format("stream {}", s));
  return t;
}

void timeline::validate() const {
  check_axis(title, "time", time);
  const std::string asked = fmt::format("the timeline \"{}\"", title);
  for (std::size_t k = 0; k < bars.size(); ++k) {
    const timeline_bar& b = bars[k];
    if (b.row >= rows.size())
      throw gs::error(asked, fmt::format("bar {} lies in row {} among {}", k, b.row, rows.size()), "count rows from 0");
    if (b.group >= groups.size())
      throw gs::error(asked, fmt::format("bar {} is of group {} among {}", k, b.group, groups.size()),
                      "count groups from 0");
    if (std::isinf(b.start) || std::isinf(b.stop) || b.stop < b.start)
      throw gs::error(asked, fmt::format("bar {} runs from {} to {}", k, b.start, b.stop),
                      "give finite numbers, the earlier one first");
  }
}

value_count timeline::count_values() const {
  value_count count;
  for (const timeline_bar& b : bars)
    for (const double end : {b.start, b.stop}) ++count.values, count.nan += std::isnan(end) ? 1 : 0;
  return count;
}

std::vector<std::string> timeline::names() const { return groups; }

nlohmann::ordered_json timeline::to_json() const {
  json object = {{"kind", "timeline"}, {"title", title},   {"time", json_axis(time)},
                 {"rows", rows},       {"groups", groups}, {"bars", json::array()}};
  for (const timeline_bar& b : bars)
    object["bars"].push_back({{"row", b.row},
                              {"group", b.group},
                              {"start", json_number(b.start)},
                              {"stop", json_number(b.stop)},
                              {"text", b.text}});
  return object;
}

void timeline::write_csv(csv_file& file, const plot_view& view) const {
  const std::string unit = time.unit.empty() ? "" : fmt::format(" [{}]", time.unit);
  for (const std::string& column :
       {std::string("row"), std::string("group"), "start" + unit, "stop" + unit, std::string("text")})
    file.put(column);
  file.end_line();
  for (const timeline_bar& b : bars) {
    if (view.is_hidden(b.group) || !in_range(view.y, static_cast<double>(b.row) + 0.5)) continue;
    if (view.x && !(b.stop >= view.x->low && b.start <= view.x->high)) continue;
    file.put(rows[b.row]);
    file.put(groups[b.group]);
    file.put(b.start);
    file.put(b.stop);
    file.put(b.text);
    file.end_line();
  }
}

std::vector<plot_reading> timeline::readings(const crosshair& c) const {
  std::vector<plot_reading> out;
  if (!(c.at.y >= 0 && c.at.y < static_cast<double>(rows.size()))) return out;
  const auto row = static_cast<std::size_t>(c.at.y);
  const double middle = static_cast<double>(row) + 0.5;
  out.push_back({rows[row], reading_text(c.at.x, time), c.at.x, middle});
  for (const timeline_bar& b : bars) {
    if (b.row != row || c.view.is_hidden(b.group) || !(b.start <= c.at.x && c.at.x <= b.stop)) continue;
    out.push_back({b.text.empty() ? groups[b.group] : b.text,
                   reading_text(b.start, time) + " to " + reading_text(b.stop, time), c.at.x, middle, b.group});
  }
  return out;
}

}  // namespace workbook
