#pragma once
// The frame of a picture: title, legend, axes, ticks.

#include <string>
#include <vector>

#include "workbook/picture/picture.h"
#include "workbook/plot/scale.h"

namespace workbook {

inline constexpr font title_font{16, true}, label_font{12.5, false}, tick_font{11.5, false};
inline constexpr double border = 18;  ///< left free around everything

/// The parts that fit: a small picture drops some of them to leave room for the data.
struct frame {
  double border = workbook::border;
  bool title = true, legend = true, axis_titles = true;

  /// An axis' title, which also stands in a small picture if it holds the numbers' exponent.
  std::string title_of(const axis& a, const scale& shown) const {
    const int exponent = ticks_for(shown, 2).exponent;
    return axis_titles || exponent != 0 ? axis_title(a, exponent) : "";
  }
  /// Room between the head and the data, and under it.
  double above(bool title) const { return title ? 32 : 12; }
  double below(bool title) const { return !title && !axis_titles ? 18 : border < workbook::border ? 36 : 30; }
};
frame frame_for(picture_size size);

/// Ticks along an axis of that length: about `usual` numbers, fewer where they would touch, more where they would be
/// far apart.
tick_marks ticks_across(const scale& x, double width, int usual);
tick_marks ticks_along(const scale& y, double height, int usual);

struct legend_entry {
  std::string name;
  colour ink;
  std::size_t shape = 0;
  bool line = true;     ///< a stroke of line
  bool marker = false;  ///< a marker
  bool patch = false;   ///< a filled square, as for bars
  bool hidden = false;  ///< what it names is left out
};

/// Draws title and legend at the top and returns the y below them. `places` gets where each entry with a name is.
double paint_head(const sheet& s, const frame& f, const std::string& title, const std::vector<legend_entry>& legend,
                  std::vector<box>* places = nullptr);

/// Room that the labels of ticks take.
double widest_label(canvas& d, const tick_marks& marks);

/// Draws the axis below (or left of) a box: line, ticks, numbers, title; with grid lines through the box if `grid`.
void paint_x_axis(const sheet& s, const box& plot, const scale& x, const tick_marks& marks, const std::string& title,
                  bool grid);
void paint_y_axis(const sheet& s, const frame& f, const box& plot, const scale& y, const tick_marks& marks,
                  const std::string& title, bool grid);

}  // namespace workbook
