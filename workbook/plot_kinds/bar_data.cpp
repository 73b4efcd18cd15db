// A bar plot as data: what it asks of its parts, JSON, CSV, and values beside the crosshair.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "workbook/json/json_values.h"
#include "workbook/picture/readings.h"
#include "workbook/plot/csv_file.h"
#include "workbook/plot_kinds/valid_parts.h"

namespace workbook {
namespace {

using json = nlohmann::ordered_json;

}  // namespace

void bar_plot::validate() const {
  check_axis(title, "value", value);
  for (const bars& b : groups) {
    check_length(title, fmt::format("the group \"{}\"", b.name), b.values.size(), categories.size());
    if (!b.spread.empty())
      check_length(title, fmt::format("spread of \"{}\"", b.name), b.spread.size(), categories.size());
  }
}

value_count bar_plot::count_values() const {
  value_count count;
  for (const bars& b : groups) count.add(b.values);
  return count;
}

std::vector<std::string> bar_plot::names() const {
  std::vector<std::string> names;
  for (const bars& b : groups) names.push_back(b.name);
  return names;
}

nlohmann::ordered_json bar_plot::to_json() const {
  json object = {{"kind", "bar plot"},
                 {"title", title},
                 {"category_label", category_label},
                 {"categories", categories},
                 {"value", json_axis(value)},
                 {"groups", json::array()}};
  for (const bars& b : groups) {
    json group = {{"name", b.name}, {"values", json_numbers(b.values)}};
    if (!b.spread.empty()) group["spread"] = json_numbers(b.spread);
    object["groups"].push_back(group);
  }
  return object;
}

void bar_plot::write_csv(csv_file& file, const plot_view& view) const {
  file.put(category_label.empty() ? "category" : category_label);
  const auto each_shown = [&](const auto& then) {
    for (std::size_t k = 0; k < groups.size(); ++k)
      if (!view.is_hidden(k)) then(groups[k]);
  };
  each_shown([&](const bars& b) {
    file.put(b.name.empty() ? column_name(value, "value") : b.name);
    if (!b.spread.empty()) file.put(b.name.empty() ? "spread" : b.name + ", spread");
  });
  file.end_line();
  for (std::size_t c = 0; c < categories.size(); ++c) {
    if (!in_range(view.y, static_cast<double>(c) + 0.5)) continue;
    file.put(categories[c]);
    each_shown([&](const bars& b) {
      file.put(b.values[c]);
      if (!b.spread.empty()) file.put(b.spread[c]);
    });
    file.end_line();
  }
}

std::vector<plot_reading> bar_plot::readings(const crosshair& c) const {
  std::vector<plot_reading> out;
  if (!(c.at.y >= 0 && c.at.y < static_cast<double>(categories.size()))) return out;
  const auto category = static_cast<std::size_t>(c.at.y);
  out.push_back({categories[category], "", c.at.x, static_cast<double>(category) + 0.5});
  for (std::size_t k = 0; k < groups.size(); ++k) {
    if (c.view.is_hidden(k)) continue;
    const bars& b = groups[k];
    out.push_back({b.name.empty() ? reading_name(value, "value") : b.name, reading_text(b.values[category], value),
                   b.values[category], static_cast<double>(category) + 0.5, k});
  }
  return out;
}

}  // namespace workbook
