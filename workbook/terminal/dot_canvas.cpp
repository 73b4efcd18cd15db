#include "workbook/terminal/dot_canvas.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "workbook/terminal/text_frame.h"

namespace workbook {

dot_canvas::dot_canvas(int columns, int rows, bool braille)
    : columns_(columns),
      rows_(rows),
      braille_(braille),
      cells_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {}

void dot_canvas::dot(int column, int row, std::size_t series) {
  if (column < 0 || column >= dot_columns() || row < 0 || row >= dot_rows()) return;
  // Unicode numbers the dots of a braille pattern by column, and those of the fourth row last.
  static constexpr std::array<std::array<std::uint8_t, 2>, 4> bits{
      {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};
  character& c = braille_ ? at(column / 2, row / 4) : at(column, row);
  c.dots = static_cast<std::uint8_t>(
      c.dots | (braille_ ? bits[static_cast<std::size_t>(row % 4)][static_cast<std::size_t>(column % 2)] : 1));
  c.series = series;
}

void dot_canvas::point(place p, std::size_t series) {
  if (!(p.x >= 0 && p.x <= 1 && p.y >= 0 && p.y <= 1)) return;
  dot(std::min(static_cast<int>(p.x * dot_columns()), dot_columns() - 1),
      std::min(static_cast<int>((1 - p.y) * dot_rows()), dot_rows() - 1), series);
}

void dot_canvas::line(place from, place to, std::size_t series) {
  // Cut to the canvas (Liang and Barsky, 1984), so that a far end costs nothing.
  double begin = 0, end = 1;
  const double dx = to.x - from.x, dy = to.y - from.y;
  for (const auto& [p, q] :
       std::array<std::pair<double, double>, 4>{{{-dx, from.x}, {dx, 1 - from.x}, {-dy, from.y}, {dy, 1 - from.y}}}) {
    if (p == 0 && q < 0) return;
    if (p < 0) begin = std::max(begin, q / p);
    if (p > 0) end = std::min(end, q / p);
  }
  if (begin > end) return;
  const int steps = std::max(
      1,
      static_cast<int>(std::ceil((end - begin) * std::max(std::abs(dx) * dot_columns(), std::abs(dy) * dot_rows()))));
  for (int k = 0; k <= steps; ++k) {
    const double at = begin + (end - begin) * k / steps;
    point({std::clamp(from.x + at * dx, 0.0, 1.0), std::clamp(from.y + at * dy, 0.0, 1.0)}, series);
  }
}

void dot_canvas::horizontal(double y) {
  if (!(y >= 0 && y <= 1)) return;
  const int row = std::min(static_cast<int>((1 - y) * rows_), rows_ - 1);
  for (int c = 0; c < columns_; ++c) at(c, row).rule = '-';
}

void dot_canvas::vertical(double x) {
  if (!(x >= 0 && x <= 1)) return;
  const int column = std::min(static_cast<int>(x * columns_), columns_ - 1);
  for (int r = 0; r < rows_; ++r) at(column, r).rule = '|';
}

std::vector<std::string> dot_canvas::rows(const terminal& t) const {
  std::vector<std::string> lines;
  for (int r = 0; r < rows_; ++r) {
    std::string& line = lines.emplace_back();
    for (int column = 0; column < columns_; ++column) {
      const character& c =
          cells_[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column)];
      if (c.dots == 0) {
        if (c.rule == 0)
          line += ' ';
        else
          line += dimmed(c.rule == '-' ? "┄" : "┊", t);
      } else if (braille_) {
        const unsigned code = 0x2800u + c.dots;  // in UTF-8, three bytes
        const std::string glyph{static_cast<char>(0xE0 | (code >> 12)), static_cast<char>(0x80 | ((code >> 6) & 0x3F)),
                                static_cast<char>(0x80 | (code & 0x3F))};
        line += in_colour(glyph, series_colour(c.series), t);
      } else {
        line += in_colour(series_marker(c.series, t), series_colour(c.series), t);
      }
    }
  }
  return lines;
}

std::string series_marker(std::size_t k, const terminal& t) {
  static constexpr std::array<const char*, 7> marks{"●", "○", "▲", "△", "■", "□", "◆"};
  static constexpr std::array<const char*, 7> letters{"*", "o", "+", "x", "#", "@", "%"};
  return t.unicode ? marks[k % marks.size()] : letters[k % letters.size()];
}

}  // namespace workbook
