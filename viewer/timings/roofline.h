#pragma once
// The roofline (Williams, Waterman, Patterson: Roofline, CACM 2009): how fast a kernel could be, given what it computes
// per byte that it moves.

#include <string>
#include <vector>

#include "viewer/timings/bench_results.h"
#include "workbook/plot.h"

namespace viewer {

struct roofline_point {
  std::string name = {};
  double intensity = 0;  ///< floating-point operations per byte
  double gigaflops = 0;  ///< reached
};

struct roofline {
  double gigabytes_per_second = 0;  ///< the best measured memory bandwidth
  double peak_gigaflops = 0;        ///< the measured peak of multiply-adds
  std::vector<roofline_point> points = {};

  /// What can be reached at an intensity.
  double roof(double intensity) const;
  /// Where the sloping part meets the level one.
  double ridge() const { return gigabytes_per_second > 0 ? peak_gigaflops / gigabytes_per_second : 0; }
};

/// Of the fastest of ours in each workload that has operations and bytes. Bandwidth is the fastest limit in GB/s whose
/// name speaks of memory, not of a cache; a GPU has a roof of its own and isn't under this one.
roofline roofline_of(const bench_run& run);

/// One sentence: what bounds it, and how near it is. A point more than 5 % above the roof is said to be an error in the
/// measurement or in the count of bytes: data that stays in caches isn't moved.
std::string bound_text(const roofline& r, const roofline_point& p);
bool above_roof(const roofline& r, const roofline_point& p);

/// As a plot on logarithmic axes: the roof as a line, the points under it, those above it as a series of their own.
workbook::xy_plot roofline_plot(const roofline& r);

}  // namespace viewer
