#pragma once
// The frame of a plot in characters: title, legend, axes with ticks and numbers around rows that are drawn already.

#include <string>
#include <utility>
#include <vector>

#include "workbook/plot/colour.h"
#include "workbook/plot/scale.h"
#include "workbook/terminal/terminal.h"

namespace workbook {

/// Text in a colour, if the terminal has colours.
std::string in_colour(std::string_view text, colour c, const terminal& t);
std::string in_bold(std::string_view text, const terminal& t);
std::string dimmed(std::string_view text, const terminal& t);
/// "\033[38;2;r;g;bm" or the nearest of 256 colours; for the background if `background`. Empty without colours.
std::string colour_code(colour c, bool background, const terminal& t);

/// Widest a plot is drawn, and how many rows it has.
inline constexpr std::size_t widest_plot = 100;
inline constexpr int plot_rows = 16;

struct text_frame {
  std::string title;
  std::vector<std::string> legend;
  std::string y_title;
  std::string x_title;
  std::vector<std::string> rows;  ///< from the top, each `columns` wide
  int columns = 0;
  tick_marks y_ticks, x_ticks;
  const scale* y = nullptr;
  const scale* x = nullptr;
};

/// Columns that the labels on the left take, with the axis itself.
int margin_of(const tick_marks& y_ticks);

/// Columns beside a margin, as many as a terminal has room for.
int columns_beside(int margin, const terminal& t);

/// The finished plot.
std::string to_text(const text_frame& f, const terminal& t);

}  // namespace workbook
