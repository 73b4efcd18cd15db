#pragma once
// Plots as pictures: one drawing code for SVG and PNG.

#include <string>

#include "workbook/picture/drawing.h"
#include "workbook/plot.h"

namespace workbook {

/// Width and height of a picture in points.
struct picture_size {
  double width, height;
};
picture_size size_of(const plot& p);

/// Draws the plot over the whole picture.
void paint(drawing& d, const plot& p);
void paint_xy(drawing& d, const xy_plot& p, picture_size size);
void paint_bars(drawing& d, const bar_plot& p, picture_size size);
void paint_heat_map(drawing& d, const heat_map& h, picture_size size);
void paint_access(drawing& d, const access_picture& p, picture_size size);

/// Room that an access picture needs: it grows with the wavefronts.
picture_size size_of(const access_picture& p);

/// Throw gs::error if the file can't be written.
void write_svg(const plot& p, const std::string& path);
void write_png(const plot& p, const std::string& path, double pixels_per_point = 2);

}  // namespace workbook
