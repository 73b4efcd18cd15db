#pragma once
// Plots as data: what is drawn, not how. The terminal, the SVG and PNG files, JSON and the viewer read the same model.

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "workbook/access_picture.h"
#include "workbook/samples.h"

namespace workbook {

/// One axis. Its range is that of the data unless `min` or `max` say otherwise. On a logarithmic axis, values that
/// aren't positive have no place: they are left out as NaN is.
struct axis {
  std::string label = {};
  std::string unit = {};  ///< "ms", "GB/s"; empty for a pure number
  bool log = false;
  std::optional<double> min = {};
  std::optional<double> max = {};
  bool whole = false;  ///< what is counted: numbers stand at whole ones only
};

/// Bins are columns that touch, from zero up: x is the middle of each, and it ends halfway to the next.
enum class drawn_as { line, points, line_and_points, bins };
inline bool has_line(drawn_as style) { return style == drawn_as::line || style == drawn_as::line_and_points; }
inline bool has_points(drawn_as style) { return style == drawn_as::points || style == drawn_as::line_and_points; }

/// Points (x[i], y[i]). NaN makes a gap in a line. Without x the points lie at 0, 1, 2, ...
struct series {
  std::string name = {};
  samples x = {};
  samples y = {};
  samples spread = {};  ///< half the length of an error bar at each point; empty: none
  drawn_as style = drawn_as::line;
};

/// A labelled line across the plot, such as a threshold: at this y, or if `vertical` at this x.
struct reference_line {
  double at = 0;
  std::string label = {};
  bool vertical = false;
};

/// Lines, points and bins over x and y: curves, scatter plots, histograms, or all in one.
struct xy_plot {
  std::string title = {};
  axis x = {};
  axis y = {};
  std::vector<workbook::series> series = {};
  std::vector<reference_line> references = {};
};

/// The values of one kind of bar, one per category. NaN: no bar.
struct bars {
  std::string name = {};
  samples values = {};
  samples spread = {};  ///< half the length of an error bar; empty: none
};

/// Bars side by side, in groups: one group per category, one bar in it per entry of `groups`.
struct bar_plot {
  std::string title = {};
  std::string category_label = {};
  std::vector<std::string> categories = {};
  axis value = {};
  std::vector<bars> groups = {};
};

enum class colour_map { viridis, inferno, grey };

/// A matrix as colours: `values` row by row, row 0 at the top. `x` and `y` label the axes; without a range they count
/// columns and rows. NaN is drawn as nothing.
struct heat_map {
  std::string title = {};
  axis x = {};
  axis y = {};
  axis value = {};
  std::size_t rows = 0;
  std::size_t columns = 0;
  samples values = {};
  colour_map colours = colour_map::viridis;
};

using plot = std::variant<xy_plot, bar_plot, heat_map, access_picture>;

const std::string& title_of(const plot& p);

/// Throws gs::error if the parts of a plot don't fit together: x and y of different length, fewer values than a matrix
/// has elements, a logarithmic axis whose given range isn't positive, a request that isn't there or that no warp can
/// make.
void validate(const plot& p);

/// Whether the plot has values and each of them is NaN, as are times that were not taken.
bool only_nan(const plot& p);

}  // namespace workbook
