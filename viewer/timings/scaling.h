#pragma once
// How much faster a workload gets with more cores, as a picture and as a table's words.

#include "viewer/timings/bench_results.h"
#include "workbook/plot.h"

namespace viewer {

/// The speed-up over the number of cores, with its 95 % interval: a line for each entrant, and the one that k cores k
/// times as fast would be.
workbook::xy_plot scaling_plot(const bench_scaling& s);

}  // namespace viewer
