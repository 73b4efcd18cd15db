#pragma once
// A grid of dots in characters: two by four to a character as braille, or one marker per character.

#include <cstdint>
#include <string>
#include <vector>

#include "workbook/plot/reduce.h"
#include "workbook/terminal/terminal.h"

namespace workbook {

class dot_canvas {
 public:
  /// Braille shows fine lines but can't tell series apart by itself: it needs colours, or a single series.
  dot_canvas(int columns, int rows, bool braille);

  int dot_columns() const { return columns_ * (braille_ ? 2 : 1); }
  int dot_rows() const { return rows_ * (braille_ ? 4 : 1); }

  void point(place p, std::size_t series);
  /// What of the line lies inside the canvas.
  void line(place from, place to, std::size_t series);
  /// A dotted line that gives way to what is drawn.
  void horizontal(double y);
  void vertical(double x);

  std::vector<std::string> rows(const terminal& t) const;

 private:
  struct character {
    std::uint8_t dots = 0;
    std::size_t series = 0;
    char rule = 0;  ///< '-' or '|': a reference line runs here
  };
  void dot(int column, int row, std::size_t series);
  character& at(int column, int row) {
    return cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                  static_cast<std::size_t>(column)];
  }

  int columns_, rows_;
  bool braille_;
  std::vector<character> cells_;
};

/// The character that stands for the k-th series where there are no colours.
std::string series_marker(std::size_t k, const terminal& t);

}  // namespace workbook
