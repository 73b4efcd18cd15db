#pragma once
// Readings: the values of a plot at the crosshair.

#include <optional>
#include <string>
#include <vector>

#include "workbook/picture/picture.h"

namespace workbook {

/// A line beside the crosshair: its position, or the value of a series (or an element) there.
struct plot_reading {
  std::string name;
  std::string text;
  double x, y;                             ///< the point it was read off
  std::optional<std::size_t> series = {};  ///< or group: its colour stands beside the name
  bool marked = false;                     ///< the point is marked in the plot
};

/// A place in a picture, and how the plot was drawn there.
struct crosshair {
  position at;  ///< in data units
  const plot_view& view;
  const picture_geometry& geometry;
  const plot_reader& data;
};

/// First where the crosshair is, then the point of each shown series nearest to it (of lines whose x never falls,
/// nearest in x; of others nearest on the screen, within a few points of it), or the element of a heat map, or the
/// category of bars. Series of too many points to look through are left out. Nothing where a picture has no scales.
std::vector<plot_reading> readings_at(const plot& p, const crosshair& c);

inline constexpr int reading_digits = 5;

/// "12.5 ms", and "time" or else the name given.
std::string reading_text(double v, const axis& a);
std::string reading_name(const axis& a, const char* otherwise);

}  // namespace workbook
