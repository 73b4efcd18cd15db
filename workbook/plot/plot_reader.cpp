#include "workbook/plot/plot_reader.h"

#include <cmath>

namespace workbook {

std::uint32_t pixel_of(colour c) {
  return 0xFF000000u | static_cast<std::uint32_t>(c.red) << 16 | static_cast<std::uint32_t>(c.green) << 8 | c.blue;
}

void paint_pixels(const heat_map& h, const matrix_picture& picture, std::vector<std::uint32_t>& pixels) {
  const auto rows = static_cast<std::size_t>(picture.rows), columns = static_cast<std::size_t>(picture.columns);
  pixels.assign(rows * columns, 0);
  const reduced_matrix m = reduced_heat_map(h, picture.part, picture.rows, picture.columns);
  if (m.rows == 0 || m.columns == 0) return;
  const auto width = static_cast<std::size_t>(m.columns);
  std::vector<std::uint32_t> shades(m.values.size(), 0);
  for (std::size_t k = 0; k < shades.size(); ++k)
    if (const double v = picture.value(m.values[k]); !std::isnan(v))
      shades[k] = pixel_of(map_colour(picture.colours, v));
  std::vector<std::size_t> column(columns);
  for (std::size_t c = 0; c < columns; ++c) column[c] = c * width / columns;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::uint32_t* from = shades.data() + r * static_cast<std::size_t>(m.rows) / rows * width;
    for (std::size_t c = 0; c < columns; ++c) pixels[r * columns + c] = from[column[c]];
  }
}

const std::vector<std::uint32_t>& plot_reader::pixels(const heat_map& h, const matrix_picture& picture) {
  paint_pixels(h, picture, pixels_);
  return pixels_;
}

}  // namespace workbook
