#pragma once
// How the time of a workload grows with its size, as a picture and in sentences.

#include <string>
#include <vector>

#include "viewer/timings/bench_results.h"
#include "workbook/plot.h"

namespace viewer {

/// Time of a call over the number of elements, on logarithmic axes: a line for each entrant that was measured at two
/// sizes or more, ours first, and across them where one way begins to be faster than one core.
workbook::xy_plot growth_plot(const bench_growth& g);

/// A sentence for each entrant, "engine: elements^0.84 [0.32, 1.36], off by 2.7 x at most", and one for each crossover.
std::vector<std::string> growth_sentences(const bench_growth& g);

}  // namespace viewer
