#pragma once
// What surrounds the data in every picture: title, legend, axes, ticks.

#include <string>
#include <vector>

#include "workbook/picture/picture.h"
#include "workbook/plot/scale.h"

namespace workbook {

inline constexpr font title_font{16, true}, label_font{12.5, false}, tick_font{11.5, false};
inline constexpr double border = 18;  ///< left free around everything

struct legend_entry {
  std::string name;
  colour ink;
  std::size_t shape = 0;
  bool line = true;     ///< a stroke of line
  bool marker = false;  ///< a marker
  bool patch = false;   ///< a filled square, as for bars
};

/// Draws title and legend at the top and returns the y below them.
double paint_head(drawing& d, const std::string& title, const std::vector<legend_entry>& legend, double width);

/// Room that the labels of ticks take.
double widest_label(drawing& d, const tick_marks& marks);

/// Draws the axis below (or left of) a box: line, ticks, numbers, title; with grid lines through the box if `grid`.
void paint_x_axis(drawing& d, const box& plot, const scale& x, const tick_marks& marks, const std::string& title,
                  bool grid);
void paint_y_axis(drawing& d, const box& plot, const scale& y, const tick_marks& marks, const std::string& title,
                  bool grid);

}  // namespace workbook
