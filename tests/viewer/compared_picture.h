#pragma once
// Pictures beside those that were looked at: tests/viewer/pictures.

#include <cairo.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

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

/// How far two pictures of one size are apart, 0 to 255: the means of blocks of side x side pixels, over all channels.
struct picture_difference {
  double mean = 0;                      ///< of all blocks
  double worst = 0;                     ///< the mean of those 16 x 16 blocks that differ most: a word that has moved
  int worst_row = 0, worst_column = 0;  ///< pixels; where these begin
};

inline picture_difference difference(const viewer::pixels& a, const viewer::pixels& b, int side) {
  const int square = 16 * side;
  const auto columns_of_squares = static_cast<std::size_t>((a.columns + square - 1) / square);
  struct sum_of_blocks {
    double apart = 0;
    int blocks = 0;
  };
  sum_of_blocks overall;
  std::vector<sum_of_blocks> squares(columns_of_squares * static_cast<std::size_t>((a.rows + square - 1) / square));
  for (int top = 0; top + side <= a.rows; top += side)
    for (int left = 0; left + side <= a.columns; left += side) {
      double block = 0;
      for (const int shift : {0, 8, 16}) {
        double apart = 0;
        for (int row = top; row < top + side; ++row)
          for (int column = left; column < left + side; ++column) {
            const auto at =
                static_cast<std::size_t>(row) * static_cast<std::size_t>(a.columns) + static_cast<std::size_t>(column);
            apart +=
                static_cast<double>(a.values[at] >> shift & 0xff) - static_cast<double>(b.values[at] >> shift & 0xff);
          }
        block += std::abs(apart) / (side * side) / 3;
      }
      for (sum_of_blocks* sum : {&overall, &squares[static_cast<std::size_t>(top / square) * columns_of_squares +
                                                    static_cast<std::size_t>(left / square)]}) {
        sum->apart += block;
        ++sum->blocks;
      }
    }
  picture_difference d{.mean = overall.apart / std::max(overall.blocks, 1)};
  for (std::size_t k = 0; k < squares.size(); ++k)
    if (const double mean = squares[k].apart / std::max(squares[k].blocks, 1); mean > d.worst) {
      d.worst = mean;
      d.worst_row = static_cast<int>(k / columns_of_squares) * square;
      d.worst_column = static_cast<int>(k % columns_of_squares) * square;
    }
  return d;
}

/// The same picture, except for differences in processors' rounding.
inline bool looks_like(const picture_difference& d) { return d.mean < 0.35 && d.worst < 2; }

/// `draw` draws another frame and returns the picture, which is compared by blocks of side x side pixels. What isn't
/// there yet may come within five seconds. With GRIDSTRIDE_NEW_PICTURES the picture becomes the one to compare with:
/// look at it. Other fonts and another layout than those of Debian 12 aren't compared: the test is skipped there.
template <class Draw>
void expect_looks_like(Draw draw, const std::string& name, int side = 4) {
  if (IMGUI_VERSION_NUM != 18600)
    GTEST_SKIP()
        << "the pictures were drawn by Dear ImGui 1.86 with the fonts of Debian 12, and this is " IMGUI_VERSION;
  const std::filesystem::path file = std::filesystem::path(PICTURES) / (name + ".png");
  viewer::pixels picture = draw();
  if (std::getenv("GRIDSTRIDE_NEW_PICTURES") != nullptr) write_png(picture, file);
  const viewer::pixels expected = read_png(file);
  const auto begin = std::chrono::steady_clock::now();
  for (;; picture = draw()) {
    ASSERT_EQ(expected.columns, picture.columns) << file;
    ASSERT_EQ(expected.rows, picture.rows) << file;
    const picture_difference apart = difference(picture, expected, side);
    if (looks_like(apart)) return;
    if (std::chrono::steady_clock::now() - begin < std::chrono::seconds(5)) continue;
    const auto found =
        std::filesystem::temp_directory_path() / (std::filesystem::path(name).filename().string() + ".png");
    write_png(picture, found);
    ADD_FAILURE() << "the picture differs from " << file << " by " << apart.mean
                  << " (less than 0.35 are allowed), most by " << apart.worst << " (2) in the square at column "
                  << apart.worst_column << ", row " << apart.worst_row << ": see " << found;
    return;
  }
}

}  // namespace viewer_test
