#pragma once
// Plots as pictures: the same drawing code makes SVG, PNG and the viewer's window.

#include <optional>
#include <string>
#include <vector>

#include "workbook/picture/canvas.h"
#include "workbook/plot.h"
#include "workbook/plot/plot_reader.h"
#include "workbook/plot/plot_view.h"

namespace workbook {

/// The colours of a picture that aren't its data's.
struct look {
  colour paper = white;
  colour ink = workbook::ink;
  colour faint_ink = workbook::faint_ink;  ///< numbers and notes
  colour axis = axis_ink;
  colour grid = grid_ink;
  colour unused{0xdd, 0xdd, 0xdd};  ///< unused cells of memory, hidden series
  colour thread{0xc4, 0xc4, 0xc4};  ///< many thin lines
};

inline constexpr look light_look{};
inline constexpr look dark_look{.paper = {0x1b, 0x1d, 0x21},
                                .ink = {0xe6, 0xe7, 0xe9},
                                .faint_ink = {0xa3, 0xa7, 0xae},
                                .axis = {0x6b, 0x70, 0x78},
                                .grid = {0x2c, 0x2f, 0x35},
                                .unused = {0x3a, 0x3e, 0x45},
                                .thread = {0x52, 0x57, 0x60}};

/// A heat map that is narrower than this, in points, and at least as high as wide, has the bar of its colours below and
/// not beside it.
inline constexpr double narrow_heat_map = 300;

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
