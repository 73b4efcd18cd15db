#pragma once
// The part of a plot that a reader has chosen to see.

#include <optional>
#include <vector>

#include "workbook/plot/scale.h"

namespace workbook {

/// Room for the numbers beside a plot, in points.
struct label_room {
  double y = 0;      ///< along the y axis
  double value = 0;  ///< along a heat map's colours
};

/// By default all of it, as the plot says. Ranges are in data units; those of bars are their values (x) and the
/// categories counted from 0, downwards (y).
struct plot_view {
  struct range {
    double low, high;
  };
  std::optional<range> x, y;
  std::vector<bool> hidden;           ///< series or groups that are left out; shorter: the others are shown
  std::optional<colour_map> colours;  ///< of a heat map
  std::optional<range> values;        ///< the ends of a heat map's colours
  label_room least_room = {};         ///< of a plot whose numbers change, so that it keeps its place and size

  bool is_hidden(std::size_t series) const { return series < hidden.size() && hidden[series]; }
};

/// Whether a value lies in a range; without one, every value does.
inline bool in_range(const std::optional<plot_view::range>& r, double v) { return !r || (v >= r->low && v <= r->high); }

/// The part of a scale that a range asks for, in the same direction; all of it if there is none, or none that a scale
/// can have.
scale part_of(const scale& whole, const std::optional<plot_view::range>& range);

}  // namespace workbook
