#pragma once
// The roofline (Williams, Waterman, Patterson: Roofline, CACM 2009): how fast a kernel could be, given what it computes
// per byte that it moves. Data that fits a cache has that cache's roof, which is higher than memory's.

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "viewer/timings/bench_results.h"
#include "workbook/plot.h"

namespace viewer {

/// How many bytes a second memory or a cache delivers: the sloping part of a roof.
struct bandwidth_roof {
  std::string name = {};  ///< "memory", "L2 cache"
  double gigabytes_per_second = 0;
  double holds = std::numeric_limits<double>::infinity();  ///< bytes, in the caches of all cores
};

struct roofline_point {
  std::string name = {};
  double intensity = 0;  ///< floating-point operations per byte
  double gigaflops = 0;  ///< reached
  std::size_t roof = 0;  ///< which one it is under: a position in roofline::roofs
};

struct roofline {
  std::vector<bandwidth_roof> roofs = {};  ///< memory's, then those of caches, each faster and smaller than the last
  double peak_gigaflops = 0;               ///< the measured peak of multiply-adds
  std::vector<roofline_point> points = {};

  /// What can be reached at an intensity, under one of the roofs.
  double limit(double intensity, std::size_t roof) const;
  /// Where the sloping part of a roof meets the level one.
  double ridge(std::size_t roof) const;
};

/// Of the fastest of ours in each workload that has operations and bytes, on the processor: a GPU has a roof of its
/// own. Memory's bandwidth is that of its fastest limit; a cache has a roof if its measured bandwidth is higher than
/// that. A workload is under the roof of the smallest cache that holds all its bytes.
roofline roofline_of(const bench_run& run);

/// One sentence: what bounds it, and how near it is. A point more than 5 % above its roof is said to be an error in the
/// measurement or in the count of bytes.
std::string bound_text(const roofline& r, const roofline_point& p);
bool above_roof(const roofline& r, const roofline_point& p);

/// As a plot on logarithmic axes: the roofs as lines, the points of each as a series, and so those above their roof.
workbook::xy_plot roofline_plot(const roofline& r);

}  // namespace viewer
