#include "workbook/picture/picture.h"

#include <cairo-svg.h>
#include <fmt/format.h>

#include <cmath>

#include "runtime/core/error.h"
#include "workbook/picture/drawing.h"

namespace workbook {
namespace {

using surface_owner = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;

void require(cairo_status_t status, const std::string& path) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw gs::error(fmt::format("writing the picture {}", path), cairo_status_to_string(status),
                    "check that the folder can be written to and the disk has room");
}

void paint_whole(canvas& d, const plot& p, const look& look, const plot_view& view) {
  plot_reader data;
  paint({d, size_of(p), look, view, data}, p);
}

}  // namespace

picture_size size_of(const plot& p) {
  return std::visit([](const auto& kind) { return kind.size(); }, p);
}

position picture_geometry::to_data(position at) const {
  return {shown->x.at((at.x - plot.left) / plot.width), shown->y.at((plot.bottom() - at.y) / plot.height)};
}

position picture_geometry::to_picture(position value) const {
  return {plot.left + shown->x(value.x) * plot.width, plot.bottom() - shown->y(value.y) * plot.height};
}

void paint(canvas& d, const plot& p) { paint_whole(d, p, light_look, {}); }

picture_geometry paint(const sheet& s, const plot& p) {
  s.d.fill({0, 0, s.size.width, s.size.height}, s.look.paper);
  return std::visit([&](const auto& kind) { return kind.paint(s); }, p);
}

void write_svg(const plot& p, const std::string& path, const look& look, const plot_view& view) {
  const picture_size size = size_of(p);
  const surface_owner surface(cairo_svg_surface_create(path.c_str(), size.width, size.height), cairo_surface_destroy);
  require(cairo_surface_status(surface.get()), path);
  {
    drawing d(surface.get());
    paint_whole(d, p, look, view);
  }
  cairo_surface_finish(surface.get());
  require(cairo_surface_status(surface.get()), path);
}

void write_png(const plot& p, const std::string& path, double pixels_per_point, const look& look,
               const plot_view& view) {
  const picture_size size = size_of(p);
  const surface_owner surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::lround(size.width * pixels_per_point)),
                                 static_cast<int>(std::lround(size.height * pixels_per_point))),
      cairo_surface_destroy);
  require(cairo_surface_status(surface.get()), path);
  cairo_surface_set_device_scale(surface.get(), pixels_per_point, pixels_per_point);
  {
    drawing d(surface.get());
    paint_whole(d, p, look, view);
  }
  require(cairo_surface_write_to_png(surface.get(), path.c_str()), path);
}

}  // namespace workbook
