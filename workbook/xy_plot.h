#pragma once
// The xy plot: curves, scatter plots and histograms.

#include <string>
#include <vector>

#include "workbook/axis.h"
#include "workbook/plot_kind.h"
#include "workbook/samples.h"

namespace workbook {

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

  void validate() const;
  value_count count_values() const;
  std::vector<std::string> names() const;
  nlohmann::ordered_json to_json() const;
  void write_csv(csv_file& file, const plot_view& view) const;
  std::string to_text(const terminal& t) const;
  picture_size size() const;
  picture_geometry paint(const sheet& s) const;
  std::vector<plot_reading> readings(const crosshair& at) const;

  template <class Archive>
  friend void fields(Archive& a, xy_plot& p) {
    a(p.title, p.x, p.y, p.series, p.references);
  }
};

}  // namespace workbook
