#include "viewer/pages/simulation_colours.h"

#include <algorithm>
#include <cmath>

namespace viewer {
namespace {

using workbook::interval;

bool is_empty(const interval& i) { return !(i.low < i.high); }

interval around_zero(interval range, bool diverging) {
  if (diverging || (range.low < 0 && range.high > 0)) {
    const double reach = std::max(std::abs(range.low), std::abs(range.high));
    return {-reach, reach};
  }
  const bool all_alike = range.low == range.high;
  if (range.low > 0 && (range.low <= range.high / 2 || all_alike)) range.low = 0;
  if (range.high < 0 && (range.high >= range.low / 2 || all_alike)) range.high = 0;
  return range;
}

// At least twice as wide on each side where values lie beyond it.
interval widened(interval range, const interval& values) {
  const double width = range.high - range.low;
  if (values.low < range.low) range.low = std::min(values.low, range.low - width);
  if (values.high > range.high) range.high = std::max(values.high, range.high + width);
  return range;
}

}  // namespace

void field_colours::keep(workbook::heat_map& field, bool for_all_times) {
  interval values;
  add_extent(values, field.values, false);
  if (values.empty()) return;  // no number among them
  const double magnitude = std::max(std::abs(values.low), std::abs(values.high));
  if (first_ == 0) first_ = magnitude;
  growth_ = first_ > 0 ? magnitude / first_ : 1;
  const bool diverging = field.colours == workbook::colour_map::diverging;
  if (!range_)
    range_ = around_zero(values, diverging);
  else if (values.low < range_->low || values.high > range_->high)
    range_ = around_zero(widened(*range_, values), diverging);
  if (is_empty(*range_)) {  // all values equal so far: no range yet
    range_.reset();
    return;
  }
  const bool has_own_range = field.value.min || field.value.max;
  if (range_->low < 0 && range_->high > 0 && !has_own_range) field.colours = workbook::colour_map::diverging;
  if (!for_all_times) return;
  if (!field.value.min) field.value.min = range_->low;
  if (!field.value.max) field.value.max = range_->high;
}

void field_colours::give(workbook::heat_map& picture) const {
  if (!range_ || picture.value.min || picture.value.max) return;
  interval values;
  add_extent(values, picture.values, false);
  if (values.low < range_->low || values.high > range_->high) return;
  picture.value.min = range_->low;
  picture.value.max = range_->high;
}

std::size_t count_not_finite(const workbook::heat_map& field) {
  return field.values.visit([](const auto values) {
    std::size_t count = 0;
    for (const auto v : values) count += !(v - v == 0);
    return count;
  });
}

}  // namespace viewer
