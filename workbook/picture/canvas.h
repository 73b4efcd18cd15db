#pragma once
// The canvas: the few drawing operations that plots need. Files are drawn by cairo (drawing.h), the
// viewer's window has a canvas of its own. Lengths are in points, y grows downwards.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workbook/plot/colour.h"

namespace workbook {

inline constexpr colour white{255, 255, 255}, ink{0x22, 0x22, 0x22}, faint_ink{0x66, 0x66, 0x66},
    axis_ink{0x99, 0x99, 0x99}, grid_ink{0xe8, 0xe8, 0xe8};

struct box {
  double left, top, width, height;
  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

struct position {
  double x, y;
};

enum class aligned { left, centre, right };
struct font {
  double size = 12;
  bool bold = false;
  const char* family = "Inter";  ///< the nearest installed one is taken
};

class canvas {
 public:
  virtual ~canvas() = default;

  virtual void fill(const box& b, colour c) = 0;
  virtual void stroke(const std::vector<position>& line, colour c, double width, bool dashed = false) = 0;
  /// The k-th of a few shapes: circle, square, triangle, diamond.
  virtual void marker(position centre, double radius, std::size_t shape, colour c) = 0;
  void dot(position centre, double radius, colour c) { marker(centre, radius, 0, c); }
  /// A picture of columns x rows pixels, row by row, 0xAARRGGBB, stretched over the box without smoothing.
  virtual void image(const box& b, const std::vector<std::uint32_t>& pixels, int columns, int rows) = 0;

  /// Text on its baseline.
  virtual void text(position at, std::string_view text, font f, colour c, aligned a = aligned::left) = 0;
  /// The same on a rim of another colour, so that it can be read on top of data.
  virtual void text_on_data(position at, std::string_view text, font f, colour c, colour rim, aligned a) = 0;
  virtual double width_of(std::string_view text, font f) = 0;
  /// The text shortened to fit, "…" at its end.
  std::string fitted(std::string_view text, font f, double width);

  /// Nothing is drawn outside the box while the returned object lives.
  virtual std::shared_ptr<void> clip(const box& b) = 0;

  /// The resolution: details below a pixel needn't be drawn.
  virtual double pixels_per_point() const { return 2; }
};

}  // namespace workbook
