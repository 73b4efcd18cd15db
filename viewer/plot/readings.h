#pragma once
// What a plot says where the crosshair is.

#include <vector>

#include "viewer/plot/kept_data.h"
#include "viewer/plot/plot_widget.h"

namespace viewer {

/// At a place in data units: first where that is, then the point of each shown series nearest to it (of lines whose x
/// never falls, nearest in x; of others nearest on the screen, within a few points of it), or the element of a heat
/// map, or the category of bars. Series of too many points to look through are left out.
std::vector<plot_widget::reading> readings_at(const workbook::plot& p, const workbook::plot_view& view,
                                              const workbook::picture_geometry& g, const kept_data& data,
                                              workbook::position at);

}  // namespace viewer
