#include "workbook/picture/drawing.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numbers>

namespace workbook {

void drawing::choose(font f) {
  // fontconfig gives the nearest font it has if this one isn't installed.
  cairo_select_font_face(cairo_.get(), f.family, CAIRO_FONT_SLANT_NORMAL,
                         f.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo_.get(), f.size);
}

void drawing::choose(colour c) { cairo_set_source_rgb(cairo_.get(), c.red / 255.0, c.green / 255.0, c.blue / 255.0); }

void drawing::fill(const box& b, colour c) {
  choose(c);
  cairo_rectangle(cairo_.get(), b.left, b.top, b.width, b.height);
  cairo_fill(cairo_.get());
}

void drawing::stroke(const std::vector<position>& line, colour c, double width, bool dashed) {
  if (line.size() < 2) return;
  static constexpr std::array<double, 2> dashes{5, 4};
  choose(c);
  cairo_set_line_width(cairo_.get(), width);
  cairo_set_line_join(cairo_.get(), CAIRO_LINE_JOIN_ROUND);
  cairo_set_dash(cairo_.get(), dashes.data(), dashed ? 2 : 0, 0);
  // Cairo's time grows faster than the length of a path: long lines are drawn in parts that share a point.
  constexpr std::size_t part = 1000;
  for (std::size_t start = 0; start + 1 < line.size(); start += part) {
    cairo_move_to(cairo_.get(), line[start].x, line[start].y);
    for (std::size_t k = start + 1; k <= std::min(start + part, line.size() - 1); ++k)
      cairo_line_to(cairo_.get(), line[k].x, line[k].y);
    cairo_stroke(cairo_.get());
  }
}

void drawing::marker(position centre, double radius, std::size_t shape, colour c) {
  cairo_t* cr = cairo_.get();
  const auto [x, y] = centre;
  choose(c);
  switch (shape % 4) {
    case 0:
      cairo_new_sub_path(cr);
      cairo_arc(cr, x, y, radius, 0, 2 * std::numbers::pi);
      break;
    case 1:
      cairo_rectangle(cr, x - 0.88 * radius, y - 0.88 * radius, 1.76 * radius, 1.76 * radius);
      break;
    case 2:  // its centre of mass lies on the point
      cairo_move_to(cr, x, y - 1.25 * radius);
      cairo_line_to(cr, x + 1.08 * radius, y + 0.625 * radius);
      cairo_line_to(cr, x - 1.08 * radius, y + 0.625 * radius);
      cairo_close_path(cr);
      break;
    default:
      cairo_move_to(cr, x, y - 1.25 * radius);
      cairo_line_to(cr, x + 1.25 * radius, y);
      cairo_line_to(cr, x, y + 1.25 * radius);
      cairo_line_to(cr, x - 1.25 * radius, y);
      cairo_close_path(cr);
      break;
  }
  cairo_fill(cr);
}

void drawing::image(const box& b, const std::vector<std::uint32_t>& pixels, int columns, int rows) {
  if (columns == 0 || rows == 0) return;
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, columns, rows), cairo_surface_destroy);
  cairo_surface_flush(surface.get());
  unsigned char* data = cairo_image_surface_get_data(surface.get());
  if (data == nullptr) return;  // no memory; cairo_status() says so when the file is written
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
  const std::size_t width = static_cast<std::size_t>(columns);
  for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r)
    std::memcpy(data + r * stride, pixels.data() + r * width, width * sizeof(std::uint32_t));
  cairo_surface_mark_dirty(surface.get());
  cairo_save(cairo_.get());
  cairo_translate(cairo_.get(), b.left, b.top);
  cairo_scale(cairo_.get(), b.width / columns, b.height / rows);
  cairo_set_source_surface(cairo_.get(), surface.get(), 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cairo_.get()), CAIRO_FILTER_NEAREST);
  cairo_rectangle(cairo_.get(), 0, 0, columns, rows);
  cairo_fill(cairo_.get());
  cairo_restore(cairo_.get());
}

double drawing::width_of(std::string_view text, font f) {
  choose(f);
  cairo_text_extents_t extents;
  cairo_text_extents(cairo_.get(), std::string(text).c_str(), &extents);
  return extents.x_advance;
}

void drawing::text(position at, std::string_view text, font f, colour c, aligned a) {
  const double width = width_of(text, f);
  choose(c);
  const double shift = a == aligned::left ? 0 : a == aligned::centre ? width / 2 : width;
  cairo_move_to(cairo_.get(), at.x - shift, at.y);
  cairo_show_text(cairo_.get(), std::string(text).c_str());
}

void drawing::text_on_data(position at, std::string_view text, font f, colour c, colour rim, aligned a) {
  const double width = width_of(text, f);
  const double shift = a == aligned::left ? 0 : a == aligned::centre ? width / 2 : width;
  choose(rim);
  cairo_set_line_width(cairo_.get(), 4);
  cairo_set_line_join(cairo_.get(), CAIRO_LINE_JOIN_ROUND);
  cairo_set_dash(cairo_.get(), nullptr, 0, 0);
  cairo_move_to(cairo_.get(), at.x - shift, at.y);
  cairo_text_path(cairo_.get(), std::string(text).c_str());
  cairo_stroke(cairo_.get());
  this->text(at, text, f, c, a);
}

std::shared_ptr<void> drawing::clip(const box& b) {
  cairo_save(cairo_.get());
  cairo_rectangle(cairo_.get(), b.left, b.top, b.width, b.height);
  cairo_clip(cairo_.get());
  return {nullptr, [cr = cairo_.get()](void*) { cairo_restore(cr); }};
}

}  // namespace workbook
