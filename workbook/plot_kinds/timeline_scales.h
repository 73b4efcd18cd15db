#pragma once
// The scales of a timeline: time to the right, rows downwards.

#include "workbook/plot/plot_view.h"
#include "workbook/timeline.h"

namespace workbook {

/// The axis' range, else that of the bars that have times.
scale time_scale_of(const timeline& t);
scale row_scale_of(const timeline& t);

}  // namespace workbook
