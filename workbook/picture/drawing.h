#pragma once
// The canvas of files: cairo draws on an image, an SVG or a PDF.

#include <cairo.h>

#include "workbook/picture/canvas.h"

namespace workbook {

class drawing final : public canvas {
 public:
  explicit drawing(cairo_surface_t* surface) : cairo_(cairo_create(surface), cairo_destroy) {}

  void fill(const box& b, colour c) override;
  void stroke(const std::vector<position>& line, colour c, double width, bool dashed = false) override;
  void marker(position centre, double radius, std::size_t shape, colour c) override;
  void image(const box& b, const std::vector<std::uint32_t>& pixels, int columns, int rows) override;
  void text(position at, std::string_view text, font f, colour c, aligned a = aligned::left) override;
  void text_on_data(position at, std::string_view text, font f, colour c, colour rim, aligned a) override;
  double width_of(std::string_view text, font f) override;
  std::shared_ptr<void> clip(const box& b) override;

 private:
  void choose(font f);
  void choose(colour c);

  std::unique_ptr<cairo_t, decltype(&cairo_destroy)> cairo_;
};

}  // namespace workbook
