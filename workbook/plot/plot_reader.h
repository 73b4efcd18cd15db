#pragma once
// How pictures read the data of a plot.

#include <cstdint>
#include <vector>

#include "workbook/plot/colour.h"
#include "workbook/plot/reduce.h"

namespace workbook {

class series_index;

/// A heat map's cells as a picture of rows x columns pixels.
struct matrix_picture {
  matrix_part part;
  int rows, columns;
  colour_map colours;
  scale value;
};

/// This one reads the data each time, which suits files. The window's reader caches results between frames.
class plot_reader {
 public:
  /// More points than these aren't looked through while a frame is drawn.
  static constexpr std::size_t many = 500'000;

  virtual ~plot_reader() = default;

  virtual xy_scales scales(const xy_plot& p) { return scales_for(p); }
  virtual scale values(const heat_map& h) { return value_scale_for(h); }
  /// The points of the k-th series that may be seen.
  virtual point_range within(const xy_plot& p, std::size_t k, const xy_scales&) { return {0, p.series[k].y.size()}; }
  /// The line of the k-th series: see reduced_line.
  virtual line_pieces line(const xy_plot& p, std::size_t k, const xy_scales& s, int columns) {
    return reduced_line(p.series[k], s.x, s.y, columns);
  }
  /// The points of the k-th series: see reduced_points.
  virtual std::vector<place> points(const xy_plot& p, std::size_t k, const xy_scales& s, int columns, int rows) {
    return reduced_points(p.series[k], s.x, s.y, columns, rows);
  }
  /// The index of the k-th series, if it has one and its points are sorted by x; else null.
  virtual const series_index* index(std::size_t /*k*/) const { return nullptr; }
  /// 0xAARRGGBB row by row; 0 where there is nothing. Good until the next call.
  virtual const std::vector<std::uint32_t>& pixels(const heat_map& h, const matrix_picture& picture);

 private:
  std::vector<std::uint32_t> pixels_;
};

/// The pixels of a heat map: each is the mean of the elements that fall into it, or, where elements are larger than
/// pixels, the element that it lies in.
void paint_pixels(const heat_map& h, const matrix_picture& picture, std::vector<std::uint32_t>& pixels);

/// 0xFFRRGGBB.
std::uint32_t pixel_of(colour c);

}  // namespace workbook
