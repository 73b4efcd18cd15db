#pragma once
// Reduces many points to as many as a picture can show, without a visible difference.

#include <span>
#include <stop_token>
#include <vector>

#include "workbook/plot.h"
#include "workbook/plot/scale.h"

namespace workbook {

/// A place in a plot: 0 to 1 from left to right and from bottom to top.
struct place {
  double x, y;
};

/// x of the i-th point of a series.
inline double x_of(const series& s, std::size_t i) { return s.x.empty() ? static_cast<double>(i) : s.x[i]; }

/// A line with gaps.
using line_pieces = std::vector<std::vector<place>>;

/// The line through a series, as pieces: a point without a place ends one. Of points that follow each other within one
/// of `columns` pixel columns the first, lowest, highest and last are kept (M4: Jugel et al., VLDB 2014), which draws
/// the same pixels as all of them would.
line_pieces reduced_line(const series& s, const scale& x, const scale& y, int columns,
                         const std::stop_token& stop = {});

/// Points of a series: from the begin-th to the one before the end-th.
struct point_range {
  std::size_t begin, end;
};

/// The points of a series inside the plot, at most one for each cell of a grid of columns x rows; of a part of the
/// series if one is given.
std::vector<place> reduced_points(const series& s, const scale& x, const scale& y, int columns, int rows);
std::vector<place> reduced_points(const series& s, point_range part, const scale& x, const scale& y, int columns,
                                  int rows, const std::stop_token& stop = {});

/// The cells of a heat map that are shown: the first row and column, and how many of each.
struct matrix_part {
  std::size_t row = 0, column = 0, rows = 0, columns = 0;

  friend bool operator==(const matrix_part&, const matrix_part&) = default;
};

/// A matrix of at most the given size: each element is the mean of a rectangle of the heat map or of a part of it, NaN
/// left out, or NaN if nothing else is there.
struct reduced_matrix {
  int rows = 0;
  int columns = 0;
  std::vector<double> values;  ///< row by row
};
reduced_matrix reduced_heat_map(const heat_map& h, const matrix_part& part, int most_rows, int most_columns);
reduced_matrix reduced_heat_map(const heat_map& h, int most_rows, int most_columns);

/// A column of a histogram, cut where the plot ends.
struct bin {
  double left, right, low, high;  ///< as the coordinates of a place
};
/// The bins of a part of a series, x ascending; of those within one pixel column the highest.
std::vector<bin> reduced_bins(const series& s, point_range part, const scale& x, const scale& y, int columns);

/// The extent of a series' points, error bars included.
struct series_extent {
  interval x, y;
};
series_extent extent_of(const series& s, bool log_x, bool log_y);

/// The scale of x and y of an xy plot; error bars and reference lines count as data.
struct xy_scales {
  scale x, y;
};
xy_scales scales_for(const xy_plot& p);
/// The same where the extents of its series are known.
xy_scales scales_for(const xy_plot& p, std::span<const series_extent> extents);
/// The scales along the edges of a heat map. Without a range x counts columns from 0, and y counts rows downwards.
xy_scales scales_for(const heat_map& h);
/// The scale of a heat map's values. Of diverging colours, zero lies in its middle, unless the range says otherwise.
scale value_scale_for(const heat_map& h);

}  // namespace workbook
