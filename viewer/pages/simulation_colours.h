#pragma once
// The colours of a field while a simulation goes on: a colour means the same value in every frame, and a field of both
// signs diverges around zero.

#include <cstddef>
#include <optional>

#include "workbook/plot.h"
#include "workbook/plot/scale.h"

namespace viewer {

class field_colours {
 public:
  /// Sets the range of the field's colours, unless the field has one. It is that of the first field this is given: with
  /// zero in the middle where values have both signs, at one end where they have one and come near it. Values beyond
  /// widen it, at least twofold, so that colours seldom change.
  /// Without `for_all_times` the field shows its own range. Either way, one of both signs gets diverging colours,
  /// and zero is their middle.
  void keep(workbook::heat_map& field, bool for_all_times = true);
  /// The range kept so far; nothing while none is known.
  std::optional<workbook::interval> range() const { return range_; }
  /// Gives another picture of the same quantity the range, unless it has one or its values lie beyond it.
  void give(workbook::heat_map& picture) const;

  /// The greatest magnitude of the latest field, over that of the first; 1 where the first was all zero.
  double growth() const { return growth_; }

 private:
  std::optional<workbook::interval> range_;
  double first_ = 0, growth_ = 1;
};

/// How many of the field's values are infinite or NaN.
std::size_t count_not_finite(const workbook::heat_map& field);

}  // namespace viewer
