#include "workbook/picture/picture.h"

#include <cairo-svg.h>
#include <fmt/format.h>

#include <algorithm>
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

struct painter {
  const sheet& s;
  picture_geometry operator()(const xy_plot& p) const { return paint_xy(s, p); }
  picture_geometry operator()(const bar_plot& p) const { return paint_bars(s, p); }
  picture_geometry operator()(const heat_map& h) const { return paint_heat_map(s, h); }
  picture_geometry operator()(const access_picture& p) const { return paint_access(s, p); }
};

void paint_whole(canvas& d, const plot& p, const look& look, const plot_view& view) {
  plot_reader data;
  paint({d, size_of(p), look, view, data}, p);
}

}  // namespace

picture_size size_of(const plot& p) {
  if (const auto* b = std::get_if<bar_plot>(&p)) {
    // The height grows with the bars, up to what can still be looked at.
    const double bars = static_cast<double>(b->categories.size() * std::max<std::size_t>(b->groups.size(), 1));
    const double thickness = b->groups.size() > 1 ? 21 : 32;
    return {720, std::clamp(150 + thickness * bars, 220.0, 2400.0)};
  }
  if (const auto* h = std::get_if<heat_map>(&p); h != nullptr && h->columns > 0) {
    // About as wide as the matrix needs, with room for the axis on the left and the colour bar on the right.
    const double aspect = static_cast<double>(h->rows) / static_cast<double>(h->columns);
    const double height = std::clamp(560 * aspect, 240.0, 420.0);
    return {std::clamp(height / aspect, 230.0, 560.0) + 160, height + 112};
  }
  if (const auto* a = std::get_if<access_picture>(&p)) return size_of(*a);
  return {720, 450};
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
  return std::visit(painter{s}, p);
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
