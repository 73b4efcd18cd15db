#pragma once
// A plot in characters: braille dots for lines and points, blocks for bars, coloured cells for heat maps; with axes,
// numbers and a legend. Without UTF-8, letters stand for the series and shades for the values.

#include <string>

#include "workbook/plot.h"
#include "workbook/terminal/terminal.h"

namespace workbook {

/// At most `t.width` columns wide; about 20 lines, fewer for bars and small matrices. Ends in a line break.
std::string to_text(const plot& p, const terminal& t);

}  // namespace workbook
