#pragma once
// Pictures beside those that were looked at: tests/viewer/pictures.

#include <cairo.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>

#include "viewer/window/offscreen.h"

namespace viewer_test {

/// Empty if the file can't be read.
inline viewer::pixels read_png(const std::filesystem::path& file) {
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> image(
      cairo_image_surface_create_from_png(file.c_str()), cairo_surface_destroy);
  if (cairo_surface_status(image.get()) != CAIRO_STATUS_SUCCESS) return {};
  viewer::pixels p{cairo_image_surface_get_width(image.get()), cairo_image_surface_get_height(image.get()), {}};
  p.values.resize(static_cast<std::size_t>(p.columns) * static_cast<std::size_t>(p.rows));
  for (int row = 0; row < p.rows; ++row)
    std::memcpy(p.values.data() + static_cast<std::size_t>(row) * static_cast<std::size_t>(p.columns),
                cairo_image_surface_get_data(image.get()) + row * cairo_image_surface_get_stride(image.get()),
                4 * static_cast<std::size_t>(p.columns));
  return p;
}

/// How far the means of blocks of side x side pixels are apart, 0 to 255, on average over all blocks and channels.
inline double difference(const viewer::pixels& a, const viewer::pixels& b, int side) {
  double sum = 0;
  int blocks = 0;
  for (int top = 0; top + side <= a.rows; top += side)
    for (int left = 0; left + side <= a.columns; left += side, ++blocks)
      for (const int shift : {0, 8, 16}) {
        double apart = 0;
        for (int row = top; row < top + side; ++row)
          for (int column = left; column < left + side; ++column) {
            const auto at =
                static_cast<std::size_t>(row) * static_cast<std::size_t>(a.columns) + static_cast<std::size_t>(column);
            apart +=
                static_cast<double>(a.values[at] >> shift & 0xff) - static_cast<double>(b.values[at] >> shift & 0xff);
          }
        sum += std::abs(apart) / (side * side) / 3;
      }
  return sum / std::max(blocks, 1);
}

/// With GRIDSTRIDE_NEW_PICTURES the picture becomes the one to compare with: look at it.
inline void expect_looks_like(const viewer::pixels& got, const std::string& name) {
  const std::filesystem::path file = std::filesystem::path(PICTURES) / (name + ".png");
  if (std::getenv("GRIDSTRIDE_NEW_PICTURES") != nullptr) write_png(got, file);
  const viewer::pixels expected = read_png(file);
  ASSERT_EQ(expected.columns, got.columns) << file;
  ASSERT_EQ(expected.rows, got.rows) << file;
  const double apart = difference(got, expected, 4);
  if (apart < 0.35) return;
  const auto kept = std::filesystem::temp_directory_path() / (name + ".png");
  write_png(got, kept);
  ADD_FAILURE() << "the picture differs from " << file << " by " << apart << ": see " << kept;
}

}  // namespace viewer_test
