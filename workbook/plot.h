#pragma once
// Plots as data: what is drawn, not how. The terminal, the SVG and PNG files, JSON and the viewer read the same model.

#include <string>
#include <variant>

#include "workbook/access_picture.h"
#include "workbook/bar_plot.h"
#include "workbook/diagram.h"
#include "workbook/heat_map.h"
#include "workbook/plot_kind.h"
#include "workbook/timeline.h"
#include "workbook/xy_plot.h"

namespace workbook {

/// The kinds of plots; CONTRIBUTING.md says how to add one.
using plot = std::variant<complete_kind<xy_plot>, complete_kind<bar_plot>, complete_kind<heat_map>,
                          complete_kind<access_picture>, complete_kind<diagram>, complete_kind<timeline>>;

const std::string& title_of(const plot& p);

/// Throws gs::error if the parts of a plot don't fit together: x and y of different length, fewer values than a matrix
/// has elements, a logarithmic axis whose given range isn't positive, a request that isn't there or that no warp can
/// make, an arrow to a cell that isn't there, a bar of a timeline that ends before it begins.
void validate(const plot& p);

/// Whether the plot has values and each of them is NaN, as are times that were not taken.
bool only_nan(const plot& p);

}  // namespace workbook
