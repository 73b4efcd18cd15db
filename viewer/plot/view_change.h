#pragma once
// The arithmetic of zooming and moving: how they change the visible range of an axis.

#include <optional>

#include "workbook/plot/plot_view.h"

namespace viewer {

/// The visible range as low and high.
workbook::plot_view::range range_of(const workbook::scale& shown);

/// `factor` times as much around the place (0 to 1) of the scale that stays where it is. Never so little that numbers
/// can't be told apart, nor so much that they overflow.
workbook::plot_view::range zoomed(const workbook::scale& shown, double place, double factor);

/// Moved by a fraction of what is visible.
workbook::plot_view::range moved(const workbook::scale& shown, double fraction);

/// The range between two places of the scale.
workbook::plot_view::range between(const workbook::scale& shown, double from, double to);

}  // namespace viewer
