#pragma once
// Plots as pictures: the same drawing code makes SVG, PNG and the viewer's window.

#include <optional>
#include <string>
#include <vector>

#include "workbook/picture/canvas.h"
#include "workbook/picture/look.h"
#include "workbook/plot.h"
#include "workbook/plot/plot_reader.h"
#include "workbook/plot/plot_view.h"

namespace workbook {

/// Width and height of a picture in points.
struct picture_size {
  double width = 720, height = 450;
  bool fixed = false;  ///< it is scaled to other sizes as a whole
};
picture_size size_of(const plot& p);

/// A canvas and everything that decides how a plot is painted on it.
struct sheet {
  canvas& d;
  picture_size size;
  const workbook::look& look;
  const plot_view& view;
  plot_reader& data;
};

/// Where the parts of a picture are, in points; converts between positions and data.
struct picture_geometry {
  box plot{};                            ///< the data's
  std::optional<xy_scales> shown;        ///< along its edges; not for access pictures
  std::optional<xy_scales> full_scales;  ///< the same if everything were shown
  std::vector<box> legend;               ///< of each series or group; no width: it isn't named
  std::optional<scale> value;            ///< of a heat map's colours
  position elements{};   ///< across and down, if everything were shown; 0: the data isn't made of elements
  label_room room = {};  ///< that the numbers took

  position to_data(position at) const;
  position to_picture(position value) const;
};

/// Draws the plot over the whole picture.
void paint(canvas& d, const plot& p);
picture_geometry paint(const sheet& s, const plot& p);

/// Throw gs::error if the file can't be written.
void write_svg(const plot& p, const std::string& path, const look& look = {}, const plot_view& view = {});
void write_png(const plot& p, const std::string& path, double pixels_per_point = 2, const look& look = {},
               const plot_view& view = {});

}  // namespace workbook
