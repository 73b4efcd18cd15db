#pragma once
// Drawing on a cairo surface: the few strokes and texts that plots are made of. Lengths are in points, y grows
// downwards.

#include <cairo.h>

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

class drawing {
 public:
  explicit drawing(cairo_surface_t* surface) : cairo_(cairo_create(surface), cairo_destroy) {}

  void fill(const box& b, colour c);
  void stroke(const std::vector<position>& line, colour c, double width, bool dashed = false);
  void dot(position centre, double radius, colour c);
  /// The k-th of a few shapes: circle, square, triangle, diamond.
  void marker(position centre, double radius, std::size_t shape, colour c);
  /// A picture of columns x rows pixels, row by row, 0xAARRGGBB, stretched over the box without smoothing.
  void image(const box& b, const std::vector<std::uint32_t>& pixels, int columns, int rows);

  /// Text on its base line.
  void text(position at, std::string_view text, font f, colour c, aligned a = aligned::left);
  /// The same on a white rim, so that it can be read on top of data.
  void text_on_data(position at, std::string_view text, font f, colour c, aligned a = aligned::left);
  double width_of(std::string_view text, font f);
  /// The text shortened to fit, "…" at its end.
  std::string fitted(std::string_view text, font f, double width);

  /// Nothing is drawn outside the box while the returned object lives.
  std::shared_ptr<void> clip(const box& b);

 private:
  void choose(font f);
  void choose(colour c);

  std::unique_ptr<cairo_t, decltype(&cairo_destroy)> cairo_;
};

}  // namespace workbook
