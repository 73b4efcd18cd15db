#pragma once
// The layout of a diagram, for the terminal and for pictures.

#include <optional>
#include <string>
#include <vector>

#include "workbook/diagram.h"

namespace workbook {

/// The smallest rectangle around all cells, in units; 1 x 1 without cells.
struct diagram_extent {
  double left = 0, top = 0, width = 1, height = 1;
};
diagram_extent extent_of(const diagram& d);

/// A straight line between the edges of two cells, in units.
struct diagram_line {
  double from_x, from_y, to_x, to_y;
};
/// Vertical or horizontal where the cells face each other, else from the middle of the lower edge to that of the upper
/// one, or back. Nothing if the cells overlap.
std::optional<diagram_line> line_of(const diagram& d, const diagram_arrow& arrow);

/// A group in the legend: whether cells have its colour, and whether arrows do.
struct diagram_key {
  std::size_t group;
  bool of_cells, of_arrows;
};
/// Groups that have a name and are used, in order.
std::vector<diagram_key> keys_of(const diagram& d);

}  // namespace workbook
