#include "viewer/text/picture_store.h"

#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace viewer {
namespace {

using surface_pointer = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;

surface_pointer scaled(cairo_surface_t* from, int columns, int rows) {
  surface_pointer to(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, columns, rows), cairo_surface_destroy);
  cairo_t* c = cairo_create(to.get());
  cairo_set_source_rgb(c, 1, 1, 1);  // pictures are made for paper
  cairo_paint(c);
  cairo_scale(c, columns / static_cast<double>(cairo_image_surface_get_width(from)),
              rows / static_cast<double>(cairo_image_surface_get_height(from)));
  cairo_set_source_surface(c, from, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(c), CAIRO_FILTER_BEST);
  cairo_paint(c);
  cairo_destroy(c);
  cairo_surface_flush(to.get());
  return to;
}

std::vector<std::uint32_t> pixels_of(cairo_surface_t* s) {
  const int columns = cairo_image_surface_get_width(s), rows = cairo_image_surface_get_height(s);
  std::vector<std::uint32_t> pixels(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
  for (int r = 0; r < rows; ++r)
    std::memcpy(pixels.data() + static_cast<std::size_t>(r) * static_cast<std::size_t>(columns),
                cairo_image_surface_get_data(s) + static_cast<std::ptrdiff_t>(r) * cairo_image_surface_get_stride(s),
                static_cast<std::size_t>(columns) * 4);
  return pixels;
}

}  // namespace

struct picture_store::entry {
  surface_pointer file;
  texture shown;
};

picture_store::picture picture_store::find(const std::filesystem::path& file, float width) {
  auto& entry = entries_[file.string()];
  if (!entry)
    entry = std::make_shared<picture_store::entry>(
        picture_store::entry{{cairo_image_surface_create_from_png(file.c_str()), cairo_surface_destroy}, {}});
  cairo_surface_t* from = entry->file.get();
  if (cairo_surface_status(from) != CAIRO_STATUS_SUCCESS) return {};
  const int columns = cairo_image_surface_get_width(from), rows = cairo_image_surface_get_height(from);
  const int shown = std::clamp(static_cast<int>(std::lround(width)), 1, std::max(columns, 1));
  if (entry->shown.columns() != shown) {
    const int shown_rows = std::max(1, static_cast<int>(std::lround(static_cast<double>(rows) * shown / columns)));
    entry->shown.set(pixels_of(scaled(from, shown, shown_rows).get()), shown, shown_rows);
  }
  return {entry->shown.id(), static_cast<float>(columns), static_cast<float>(rows)};
}

}  // namespace viewer
