#pragma once
// Colours of plots: series that colour-blind readers can tell apart, and maps from values to colours.

#include <cstddef>
#include <cstdint>

#include "workbook/plot.h"

namespace workbook {

/// Red, green and blue, 0 to 255 in sRGB.
struct colour {
  std::uint8_t red, green, blue;

  friend bool operator==(const colour&, const colour&) = default;
};

/// The colour of the k-th series: Okabe and Ito's palette (Color Universal Design, 2008), again from the start after
/// seven.
colour series_colour(std::size_t k);

/// The colour at 0 to 1 of a map; values beyond are taken as the nearer end.
colour map_colour(colour_map map, double position);

/// The nearest of the xterm palette's 256 colours.
int palette_index(colour c);

}  // namespace workbook
