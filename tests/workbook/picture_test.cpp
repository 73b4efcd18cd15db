// Pictures: files that are what they claim, and points that are drawn where they belong, found by their colour.

#include "workbook/picture/picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "runtime/core/error.h"
#include "tests/temporary_folder.h"
#include "workbook/picture/drawing.h"
#include "workbook/picture/picture_files.h"

namespace {

using workbook::colour;

using folder = gridstride_test::temporary_folder;

class pixels {
 public:
  explicit pixels(const std::string& path)
      : surface_(cairo_image_surface_create_from_png(path.c_str()), cairo_surface_destroy) {
    EXPECT_EQ(cairo_surface_status(surface_.get()), CAIRO_STATUS_SUCCESS);
  }
  int width() const { return cairo_image_surface_get_width(surface_.get()); }
  int height() const { return cairo_image_surface_get_height(surface_.get()); }
  colour at(int x, int y) const {
    const unsigned char* p =
        cairo_image_surface_get_data(surface_.get()) + y * cairo_image_surface_get_stride(surface_.get()) + 4 * x;
    return {p[2], p[1], p[0]};
  }

 private:
  std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface_;
};

pixels drawn(const workbook::plot& p, const folder& f) {
  write_png(p, f / "p.png");
  return pixels(f / "p.png");
}

// Centres of the blobs of one colour, from left to right.
std::vector<workbook::position> blobs(const pixels& image, colour sought) {
  struct blob {
    double x = 0, y = 0, count = 0;
  };
  std::vector<blob> blobs;
  for (int x = 0; x < image.width(); ++x)
    for (int y = 0; y < image.height(); ++y) {
      if (!(image.at(x, y) == sought)) continue;
      blob* home = nullptr;
      for (blob& b : blobs)
        if (std::hypot(b.x / b.count - x, b.y / b.count - y) < 20) home = &b;
      if (home == nullptr) home = &blobs.emplace_back();
      home->x += x;
      home->y += y;
      ++home->count;
    }
  std::vector<workbook::position> centres;
  for (const blob& b : blobs) centres.push_back({b.x / b.count, b.y / b.count});
  return centres;
}

TEST(png, has_two_pixels_per_point_and_is_not_blank) {
  const folder f;
  const workbook::xy_plot p{.title = "title", .series = {{.name = "s", .y = {1, 2, 3}}}};
  const pixels image = drawn(p, f);
  EXPECT_EQ(image.width(), 1440);
  EXPECT_EQ(image.height(), 900);
  EXPECT_EQ(image.at(0, 0), workbook::white);
  int line = 0, text = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      line += image.at(x, y) == workbook::series_colour(0);
      text += image.at(x, y) == workbook::ink;
    }
  EXPECT_GT(line, 2000);
  EXPECT_GT(text, 200);
}

TEST(png, shows_points_where_they_belong) {
  const folder f;
  const workbook::xy_plot p{.x = {.min = 0, .max = 8},
                            .y = {.min = -2, .max = 2},
                            .series = {{.x = {0, 2, 8}, .y = {-2, 1, 2}, .style = workbook::drawn_as::points}}};
  const auto points = blobs(drawn(p, f), workbook::series_colour(0));
  ASSERT_EQ(points.size(), 3u);
  // (0, -2) and (8, 2) are the corners; (2, 1) lies a quarter of the way across and three quarters up.
  EXPECT_NEAR(points[1].x, points[0].x + 0.25 * (points[2].x - points[0].x), 1);
  EXPECT_NEAR(points[1].y, points[0].y + 0.75 * (points[2].y - points[0].y), 1);
  EXPECT_GT(points[2].x - points[0].x, 1000);
  EXPECT_GT(points[0].y - points[2].y, 500);
}

TEST(png, shows_points_on_logarithmic_axes_and_leaves_out_what_has_no_place) {
  const folder f;
  const workbook::xy_plot p{
      .x = {.log = true, .min = 1, .max = 1000},
      .y = {.log = true, .min = 1, .max = 100},
      .series = {
          {.x = {1, 10, 1000, 0, 5, 7}, .y = {1, 10, 100, 10, -1, std::nan("")}, .style = workbook::drawn_as::points}}};
  const auto points = blobs(drawn(p, f), workbook::series_colour(0));
  ASSERT_EQ(points.size(), 3u);
  EXPECT_NEAR(points[1].x, points[0].x + (points[2].x - points[0].x) / 3, 1);
  EXPECT_NEAR(points[1].y, points[0].y + (points[2].y - points[0].y) / 2, 1);
}

// From the top of the highest of the labels of two vertical lines to the bottom of the lowest, in pixels.
int height_of_labels(double first, double second) {
  const folder f;
  workbook::xy_plot p{.x = {.min = 0, .max = 10},
                      .y = {.min = 0, .max = 1},
                      .series = {{.x = {0, 10}, .y = {0, 0}}},
                      .references = {{.at = first, .vertical = true}, {.at = second, .vertical = true}}};
  const pixels picture_without = drawn(p, f);
  p.references[0].label = "engine overtakes cpu", p.references[1].label = "parallel overtakes cpu";
  const pixels with = drawn(p, f);
  int least = with.height(), most = 0;
  for (int y = 0; y < with.height(); ++y)
    for (int x = 0; x < with.width(); ++x)
      if (!(with.at(x, y) == picture_without.at(x, y))) least = std::min(least, y), most = y;
  return most - least;
}

TEST(png, labels_of_vertical_lines_do_not_lie_over_each_other) {
  constexpr int line = 2 * 14;
  EXPECT_LT(height_of_labels(2, 6), line) << "side by side";
  EXPECT_GT(height_of_labels(2, 3), line) << "from left to right";
  EXPECT_GT(height_of_labels(3, 2), line) << "from right to left";
  EXPECT_GT(height_of_labels(9.8, 9.9), line) << "left of their lines";
}

TEST(png, leaves_a_gap_where_a_value_is_missing) {
  const folder f;
  const double nan = std::nan("");
  const auto covered = [&](double middle) {
    const workbook::xy_plot p{.y = {.min = 0, .max = 2}, .series = {{.y = {1, 1, middle, 1, 1}}}};
    const pixels image = drawn(p, f);
    int columns = 0;
    for (int x = 0; x < image.width(); ++x) {
      bool hit = false;
      for (int y = 0; y < image.height(); ++y) hit = hit || image.at(x, y) == workbook::series_colour(0);
      columns += hit;
    }
    return columns;
  };
  const int whole = covered(1), broken = covered(nan);
  EXPECT_NEAR(broken, whole / 2.0, 0.02 * whole);
}

TEST(png, draws_the_bins_of_a_histogram_side_by_side_from_zero) {
  const folder f;
  const workbook::xy_plot p{
      .series = {{.name = "", .x = {10, 20, 30, 40}, .y = {1, 4, std::nan(""), 2}, .style = workbook::drawn_as::bins}}};
  const pixels image = drawn(p, f);
  std::vector<int> heights;  // of each pixel column
  for (int x = 0; x < image.width(); ++x) {
    int height = 0;
    for (int y = 0; y < image.height(); ++y) height += image.at(x, y) == workbook::series_colour(0);
    heights.push_back(height);
  }
  const int highest = *std::ranges::max_element(heights);
  const auto wide = [&](double part) {
    return std::ranges::count_if(heights, [&](int h) { return std::abs(h - part * highest) < 3; });
  };
  EXPECT_GT(highest, 400);
  EXPECT_GT(wide(1), 300);  // a quarter of the plot
  EXPECT_NEAR(static_cast<double>(wide(0.25)), static_cast<double>(wide(1)), 4);
  EXPECT_NEAR(static_cast<double>(wide(0.5)), static_cast<double>(wide(1)), 4);
  // All four have that width; between the others there is a hair, the third isn't there.
  const auto first = std::ranges::find_if(heights, [](int h) { return h > 0; });
  const auto last = std::find_if(heights.rbegin(), heights.rend(), [](int h) { return h > 0; }).base();
  const auto width = static_cast<double>(wide(1));
  EXPECT_NEAR(static_cast<double>(last - first), 4 * width, 12);
  EXPECT_NEAR(static_cast<double>(std::count(first, last, 0)), width, 8);
}

TEST(png, draws_bars_in_proportion) {
  const folder f;
  const workbook::bar_plot p{.categories = {"a", "b"}, .groups = {{.values = {10, 2.5}}}};
  const pixels image = drawn(p, f);
  std::vector<int> lengths;
  int earlier_length = 0;
  for (int y = 0; y < image.height(); ++y) {
    int length = 0;
    for (int x = 0; x < image.width(); ++x) length += image.at(x, y) == workbook::series_colour(0);
    if (length > 0 && earlier_length == 0) lengths.push_back(0);
    if (length > 0) lengths.back() = std::max(lengths.back(), length);
    earlier_length = length;
  }
  ASSERT_EQ(lengths.size(), 2u);
  EXPECT_NEAR(lengths[1], lengths[0] / 4.0, 2);
}

TEST(png, draws_a_heat_map_row_0_at_the_top) {
  const folder f;
  const workbook::heat_map h{.rows = 2, .columns = 2, .values = {0, 0.5, 1, std::nan("")}};
  const pixels image = drawn(h, f);
  const auto low = map_colour(h.colours, 0), middle = map_colour(h.colours, 0.5), high = map_colour(h.colours, 1);
  // Search the left half of the picture, away from the colour bar.
  const auto centre = [&](colour sought) {
    double sx = 0, sy = 0, n = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x)
        if (image.at(x, y) == sought) sx += x, sy += y, ++n;
    return std::array{sx / n, sy / n, n};
  };
  const auto a = centre(low), b = centre(middle), c = centre(high);
  EXPECT_LT(a[0], b[0]);
  EXPECT_NEAR(a[1], b[1], 4);
  EXPECT_LT(a[1], c[1]);
  EXPECT_NEAR(a[0], c[0], 4);
  EXPECT_NEAR(a[2], c[2], 0.05 * a[2]);
}

// What a reader has chosen.

pixels drawn(const workbook::plot& p, const folder& f, const workbook::look& look, const workbook::plot_view& view) {
  write_png(p, f / "p.png", 2, look, view);
  return pixels(f / "p.png");
}

int count(const pixels& image, colour sought) {
  int n = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) n += image.at(x, y) == sought;
  return n;
}

TEST(view, in_part_shows_points_where_they_belong_and_no_others) {
  const folder f;
  const workbook::xy_plot p{
      .series = {{.x = {0, 20, 30, 40, 99}, .y = {0, 20, 25, 40, 99}, .style = workbook::drawn_as::points}}};
  workbook::plot_view view;
  view.x = {20, 40};
  view.y = {20, 40};
  const auto points = blobs(drawn(p, f, {}, view), workbook::series_colour(0));
  ASSERT_EQ(points.size(), 3u);
  EXPECT_NEAR(points[1].x, (points[0].x + points[2].x) / 2, 1);
  EXPECT_NEAR(points[1].y, points[0].y + 0.25 * (points[2].y - points[0].y), 1);
  EXPECT_GT(points[2].x - points[0].x, 1000);
}

TEST(view, leaves_out_hidden_series_and_groups_but_names_them) {
  const folder f;
  const workbook::plot lines = workbook::xy_plot{.series = {{.name = "a", .y = {1, 2}}, {.name = "b", .y = {2, 1}}}};
  const workbook::plot bars = workbook::bar_plot{.categories = {"x"}, .groups = {{"a", {1}}, {"b", {2}}}};
  workbook::plot_view view;
  view.hidden = {false, true};
  const workbook::plot times = workbook::timeline{
      .rows = {"x", "y"},
      .groups = {"a", "b"},
      .bars = {{.row = 0, .group = 0, .start = 0, .stop = 1}, {.row = 1, .group = 1, .start = 0, .stop = 1}}};
  for (const auto& p : {lines, bars, times}) {
    EXPECT_GT(count(drawn(p, f), workbook::series_colour(1)), 100);
    const pixels image = drawn(p, f, {}, view);
    EXPECT_EQ(count(image, workbook::series_colour(1)), 0);
    EXPECT_GT(count(image, workbook::series_colour(0)), 1000);
    EXPECT_GT(count(image, workbook::light_look.unused), 50);
  }
}

TEST(view, of_a_heat_map_has_other_colours_and_parts_of_elements) {
  const folder f;
  const workbook::heat_map h{.rows = 2, .columns = 2, .values = {0, 1, 2, 3}};
  workbook::plot_view view;
  view.colours = workbook::colour_map::grey;
  view.values = {0, 4};
  view.x = {0.5, 1.5};  // halves of all four
  view.y = {0, 1};      // the upper row
  const pixels image = drawn(h, f, {}, view);
  const int first = count(image, {0, 0, 0}), second = count(image, {64, 64, 64});
  EXPECT_GT(first, 20'000);
  EXPECT_NEAR(first, second, 0.02 * first);
  EXPECT_LT(count(image, {128, 128, 128}), 2000);  // the row below
}

TEST(view, of_bars_shows_the_categories_asked_for) {
  const folder f;
  workbook::bar_plot p{.value = {.min = 0, .max = 10}};
  p.categories = {"a", "b", "c", "d"};
  p.groups = {{.values = {1, 2, 4, 8}}};
  workbook::plot_view view;
  view.y = {1, 3};
  view.x = {0, 5};
  const pixels image = drawn(p, f, {}, view);
  std::vector<int> lengths;
  for (int y = 0, before = 0; y < image.height(); ++y) {
    int length = 0;
    for (int x = 0; x < image.width(); ++x) length += image.at(x, y) == workbook::series_colour(0);
    if (length > 20 && before <= 20) lengths.push_back(0);
    if (length > 20) lengths.back() = std::max(lengths.back(), length);
    before = length;
  }
  ASSERT_EQ(lengths.size(), 2u);
  EXPECT_NEAR(lengths[0] * 2, lengths[1], 4);
}

TEST(look, in_the_dark_has_light_letters_on_dark_paper) {
  const folder f;
  const workbook::look& dark = workbook::dark_look;
  for (const workbook::plot& p : std::vector<workbook::plot>{
           workbook::xy_plot{.title = "title", .series = {{.name = "s", .y = {1, 2}}}, .references = {{1.5, "here"}}},
           workbook::bar_plot{.title = "title", .categories = {"a"}, .groups = {{.values = {1}}}},
           workbook::heat_map{.title = "title", .rows = 1, .columns = 1, .values = {1}},
           workbook::timeline{
               .title = "title", .rows = {"r"}, .groups = {"a"}, .bars = {{.start = 0, .stop = 1, .text = "W"}}},
           workbook::diagram{.title = "title",
                             .groups = {"a"},
                             .cells = {{.width = 16, .height = 8, .text = "W", .group = 0}, {.x = 20, .text = "W"}},
                             .arrows = {{.from = 0, .to = 1}}}}) {
    const pixels image = drawn(p, f, dark, {});
    EXPECT_EQ(image.at(0, 0), dark.paper);
    EXPECT_GT(count(image, dark.paper), 100'000);
    EXPECT_GT(count(image, dark.ink), 50);
    for (const colour light : {workbook::white, workbook::ink, workbook::faint_ink, workbook::grid_ink})
      EXPECT_EQ(count(image, light), 0);
  }
}

TEST(geometry, says_where_the_data_is) {
  const folder f;
  const workbook::xy_plot p{
      .x = {.log = true, .min = 1, .max = 1000},
      .y = {.min = -2, .max = 2},
      .series = {{.x = {1, 10, 1000}, .y = {-2, 1, 2}, .style = workbook::drawn_as::points}, {.name = "named"}}};
  const auto points = blobs(drawn(p, f), workbook::series_colour(0));
  ASSERT_EQ(points.size(), 3u);
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1), cairo_surface_destroy);
  cairo_surface_set_device_scale(surface.get(), 2, 2);  // letters are as wide as in the file
  workbook::drawing d(surface.get());
  workbook::plot_reader data;
  const auto g = paint({d, size_of(p), workbook::light_look, workbook::plot_view{}, data}, p);
  for (std::size_t k = 0; k < 3; ++k) {
    const workbook::position at = g.to_picture({p.series[0].x[k], p.series[0].y[k]});
    EXPECT_NEAR(2 * at.x, points[k].x, 1);
    EXPECT_NEAR(2 * at.y, points[k].y, 1);
    const workbook::position data_position = g.to_data(at);
    EXPECT_NEAR(data_position.x, p.series[0].x[k], 1e-9 * p.series[0].x[k]);
    EXPECT_NEAR(data_position.y, p.series[0].y[k], 1e-9);
  }
  ASSERT_EQ(g.legend.size(), 2u);
  EXPECT_EQ(g.legend[0].width, 0);
  EXPECT_GT(g.legend[1].width, 40);
}

workbook::access_picture access(gs::memory_space space, std::uint64_t stride, unsigned bytes = 4) {
  workbook::access_picture p;
  p.warp.requests = {{.space = space, .bytes = bytes}};
  for (std::uint8_t lane = 0; lane < 32; ++lane) p.warp.requests[0].lanes.push_back({lane, stride * lane});
  return p;
}

// Pixels of one colour below the legend and the lanes.
double covered(const pixels& image, colour sought) {
  double count = 0;
  for (int y = 250; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) count += image.at(x, y) == sought;
  return count;
}

TEST(png, of_sectors_shows_what_is_used_in_proportion) {
  const folder f;
  const colour used = workbook::series_colour(0), unused{0xdd, 0xdd, 0xdd};
  const pixels whole = drawn(access(gs::memory_space::global, 4), f);
  EXPECT_GT(covered(whole, used), 30'000);
  EXPECT_LT(covered(whole, unused), 1'000);  // rims of letters
  for (const std::uint64_t stride :
       {8u, 12u, 16u}) {  // a half, a third, a quarter is used; lane numbers take some of it
    const pixels image = drawn(access(gs::memory_space::global, stride), f);
    const double parts = static_cast<double>(stride) / 4;
    EXPECT_NEAR(covered(image, used) * (parts - 1), covered(image, unused), 0.2 * covered(image, unused)) << stride;
  }
}

TEST(png, of_banks_has_a_row_per_wavefront_and_marks_conflicts) {
  const folder f;
  const colour used = workbook::series_colour(0), conflict = workbook::series_colour(1);
  const pixels row = drawn(access(gs::memory_space::shared, 4), f),
               column = drawn(access(gs::memory_space::shared, 128), f);
  EXPECT_EQ(covered(row, conflict), 0);
  EXPECT_GT(covered(column, conflict), 15 * covered(column, used));
  EXPECT_NEAR(covered(row, used), 32 * covered(column, used), 0.2 * covered(row, used));
  EXPECT_EQ(column.height() - row.height(), 2 * 31 * 17);
}

// Cells of a unit each, apart by two, and arrows between them.
workbook::diagram row_of_cells(std::size_t cells, std::vector<workbook::diagram_arrow> arrows) {
  workbook::diagram d{.groups = {"a", "b", "c"}, .arrows = std::move(arrows)};
  for (std::size_t k = 0; k < cells; ++k) d.add({.x = 3 * static_cast<double>(k), .group = 0});
  return d;
}

// The least box around the pixels of a colour, below the legend.
struct pixel_range {
  int left = 1 << 20, right = -1, top = 1 << 20, bottom = -1;
};
pixel_range range_of(const pixels& image, colour sought, int from = 100) {
  pixel_range r;
  for (int y = from; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.at(x, y) == sought) {
        r.left = std::min(r.left, x), r.right = std::max(r.right, x);
        r.top = std::min(r.top, y), r.bottom = std::max(r.bottom, y);
      }
  return r;
}

TEST(png, of_a_timeline_has_bars_where_they_belong) {
  const folder f;
  const workbook::timeline t{.time = {.min = 0, .max = 10},
                             .rows = {"a", "b", "c"},
                             .groups = {"", "", ""},
                             .bars = {{.row = 0, .group = 0, .start = 0, .stop = 10},
                                      {.row = 1, .group = 1, .start = 2.5, .stop = 5},
                                      {.row = 2, .group = 2, .start = 5, .stop = 10}}};
  const pixels image = drawn(t, f);
  const pixel_range a = range_of(image, workbook::series_colour(0)), b = range_of(image, workbook::series_colour(1)),
                    c = range_of(image, workbook::series_colour(2));
  const double width = a.right - a.left;
  EXPECT_GT(width, 1000);
  EXPECT_NEAR(b.left - a.left, 0.25 * width, 4);
  EXPECT_NEAR(b.right - a.left, 0.5 * width, 4);
  EXPECT_NEAR(c.left - a.left, 0.5 * width, 4);
  EXPECT_NEAR(c.right, a.right, 4);
  EXPECT_LT(a.bottom, b.top) << "rows go downwards";
  EXPECT_LT(b.bottom, c.top);
  workbook::plot_view view;
  view.x = {5, 10};
  view.y = {1, 3};
  const pixels part = drawn(t, f, {}, view);
  EXPECT_LT(count(part, workbook::series_colour(1)), 1000) << "its end lies at the edge";
  EXPECT_EQ(count(part, workbook::series_colour(0)), 0);
  EXPECT_NEAR(range_of(part, workbook::series_colour(2)).right - range_of(part, workbook::series_colour(2)).left, width,
              30);
}

TEST(png, of_a_diagram_has_cells_where_they_belong) {
  const folder f;
  workbook::diagram d{.groups = {"", "", ""}, .unit_width = 40, .unit_height = 30};
  d.add({.x = 0, .y = 0, .width = 1, .height = 1, .group = 0});
  d.add({.x = 4, .y = 0, .width = 2, .height = 1, .group = 1});
  d.add({.x = 4, .y = 2, .width = 2, .height = 3, .group = 2});
  const pixels image = drawn(d, f);
  const pixel_range a = range_of(image, workbook::series_colour(0), 0),
                    b = range_of(image, workbook::series_colour(1), 0),
                    c = range_of(image, workbook::series_colour(2), 0);
  EXPECT_NEAR(b.left - a.left, 4 * 80, 3);
  EXPECT_NEAR(b.top, a.top, 3);
  EXPECT_NEAR(c.top - b.top, 2 * 60, 3);
  EXPECT_EQ(b.left, c.left);
  EXPECT_NEAR(a.right - a.left, 80, 9);
  EXPECT_NEAR(b.right - b.left, 2 * 80, 9);
  EXPECT_NEAR(a.bottom - a.top, 60, 9);
  EXPECT_NEAR(c.bottom - c.top, 3 * 60, 9);
}

TEST(png, of_a_diagram_has_arrows_with_their_heads_at_the_end) {
  const folder f;
  const auto arrow_of = [&](std::vector<workbook::diagram_arrow> arrows) {
    const pixels image = drawn(row_of_cells(3, std::move(arrows)), f);
    const pixel_range r = range_of(image, workbook::series_colour(1));
    // Where the arrow is highest, there is its head.
    int head = 0, highest = 0;
    for (int x = r.left; x <= r.right; ++x) {
      int low = 1 << 20, high = -1;
      for (int y = r.top; y <= r.bottom; ++y)
        if (image.at(x, y) == workbook::series_colour(1)) low = std::min(low, y), high = y;
      if (high - low > highest) highest = high - low, head = x;
    }
    return std::array{r.left, r.right, head};
  };
  const auto right = arrow_of({{.from = 0, .to = 1, .group = 1}}), left = arrow_of({{.from = 1, .to = 0, .group = 1}});
  EXPECT_NEAR(right[1] - right[0], 2 * 2 * 44, 16) << "between the edges of the cells";
  EXPECT_GT(right[2], (right[0] + right[1]) / 2 + 40);
  EXPECT_LT(left[2], (left[0] + left[1]) / 2 - 40);
  EXPECT_NEAR(left[0], right[0], 8);
  const auto further = arrow_of({{.from = 1, .to = 2, .group = 1}});
  EXPECT_NEAR(further[0] - right[0], 3 * 2 * 44, 3);
}

TEST(png, of_a_diagram_is_as_large_as_its_cells_ask_for) {
  const auto size_of_cells = [](double width, double height) {
    return workbook::diagram{.title = "t", .cells = {{.width = width, .height = height}}}.size();
  };
  EXPECT_EQ(size_of_cells(10, 5).height - size_of_cells(10, 3).height, 2 * 28);
  EXPECT_EQ(size_of_cells(14, 1).width - size_of_cells(10, 1).width, 4 * 44);
  EXPECT_EQ(size_of_cells(100, 1).width, 720);
  EXPECT_EQ(size_of_cells(1, 1).width, 360);
}

TEST(png, of_every_odd_plot_can_be_drawn) {
  const folder f;
  const double nan = std::nan("");
  for (const workbook::plot& p : std::vector<workbook::plot>{
           workbook::xy_plot{},
           workbook::xy_plot{.series = {{}}},
           workbook::xy_plot{.series = {{.y = {nan, nan}}}},
           workbook::xy_plot{.series = {{.y = {7}}}},
           workbook::xy_plot{.series = {{.y = {-1e308, 1e308}}}},
           workbook::xy_plot{.y = {.log = true}, .series = {{.y = {0, -5}, .spread = {1, nan}}}},
           workbook::xy_plot{.title = std::string(500, 'W'),
                             .x = {.label = std::string(500, 'W')},
                             .y = {.label = std::string(500, 'W')}},
           workbook::bar_plot{},
           workbook::bar_plot{.categories = {"a"}},
           workbook::bar_plot{.categories = {"a"}, .value = {.log = true}, .groups = {{.values = {0}}}},
           workbook::bar_plot{.categories = std::vector<std::string>(200, std::string(100, 'x')),
                              .groups = {{.values = workbook::samples::regular(-5, 1, 200)}}},
           workbook::heat_map{},
           workbook::heat_map{.rows = 1, .columns = 1, .values = {nan}},
           workbook::heat_map{.rows = 3000, .columns = 1, .values = workbook::samples::regular(0, 1, 3000)},
           workbook::timeline{},
           workbook::timeline{.title = std::string(500, 'W'),
                              .rows = std::vector<std::string>(200, std::string(100, 'x')),
                              .groups = {std::string(500, 'W')},
                              .bars = {{.row = 7, .start = -1e308, .stop = 1e308, .text = std::string(500, 'W')},
                                       {.row = 199, .start = nan, .stop = nan},
                                       {.row = 3, .start = 5, .stop = 5}}},
           workbook::diagram{.title = "no cells"},
           workbook::diagram{.title = "touching", .cells = {{}, {.x = 0.5}}, .arrows = {{.from = 0, .to = 1}}},
           row_of_cells(60, {{.from = 0, .to = 59}, {.from = 59, .to = 0, .group = 2}}),
           workbook::access_picture{},
           workbook::access_picture{.warp = {.requests = {{}}}},
           access(gs::memory_space::global, 0),
           access(gs::memory_space::global, 7, 16),
           access(gs::memory_space::global, 1'000'000'007, 1),
           access(gs::memory_space::shared, 0),
           access(gs::memory_space::shared, 130, 16),
           access(gs::memory_space::local, 4)}) {
    write_png(p, f / "p.png");
    write_svg(p, f / "p.svg");
    EXPECT_GT(std::filesystem::file_size(f / "p.png"), 1000u);
    EXPECT_GT(std::filesystem::file_size(f / "p.svg"), 500u);
  }
}

// The first element of an XML text that isn't opened and closed in order, or "".
std::string unbalanced_element(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) {
    if (text[at + 1] == '?' || text[at + 1] == '!') continue;
    std::size_t end = at;
    for (bool quoted = false; end < text.size() && (quoted || text[end] != '>'); ++end)
      if (text[end] == '"') quoted = !quoted;
    const bool closing = text[at + 1] == '/', empty = text[end - 1] == '/';
    const std::size_t start = at + (closing ? 2 : 1);
    const std::string name = text.substr(start, text.find_first_of(" \n/>", start) - start);
    if (closing) {
      if (open.empty() || open.back() != name) return name;
      open.pop_back();
    } else if (!empty) {
      open.push_back(name);
    }
  }
  return open.empty() ? "" : open.back();
}

TEST(svg, is_well_formed_xml_of_the_right_size) {
  const folder f;
  write_svg(workbook::xy_plot{.title = "a < b & c", .series = {{.name = "\"s\"", .y = {1, 2}}}}, f / "p.svg");
  std::ifstream in(f / "p.svg");
  std::ostringstream stream;
  stream << in.rdbuf();
  const std::string text = stream.str();
  EXPECT_NE(text.find("viewBox=\"0 0 720 450\""), std::string::npos);
  EXPECT_EQ(unbalanced_element(text), "");
  EXPECT_EQ(unbalanced_element("<a><b></a>"), "a");  // and the scan would find one
}

TEST(svg, of_accesses_is_well_formed_xml) {
  const folder f;
  for (const auto space : {gs::memory_space::global, gs::memory_space::shared}) {
    workbook::access_picture p = access(space, 8);
    p.title = "a < b & c";
    p.warp.array = "x < y";
    write_svg(p, f / "p.svg");
    std::ifstream in(f / "p.svg");
    std::ostringstream text;
    text << in.rdbuf();
    EXPECT_NE(text.str().find("viewBox=\"0 0 720 "), std::string::npos);
    EXPECT_EQ(unbalanced_element(text.str()), "");
  }
}

TEST(picture, that_cannot_be_written_is_an_error) {
  EXPECT_THROW(write_png(workbook::xy_plot{}, "/no/such/folder/p.png"), gs::error);
  EXPECT_THROW(write_svg(workbook::xy_plot{}, "/no/such/folder/p.svg"), gs::error);
}

TEST(picture_folder, is_made_and_gets_two_files_per_plot) {
  const folder f;
  workbook::report r;
  r.about.lesson = 6;
  r.about.name = "gaussian_pdf";
  r.plot(workbook::xy_plot{.title = "Time per element (ns)"});
  r.plot(workbook::xy_plot{.title = "time per element: ns"});
  r.plot(workbook::xy_plot{.title = "µ"});
  const auto files = workbook::picture_folder(f / "a/b").write(r);
  const std::vector<std::string> names{"06_gaussian_pdf-time-per-element-ns", "06_gaussian_pdf-time-per-element-ns-2",
                                       "06_gaussian_pdf-plot"};
  ASSERT_EQ(files.size(), 6u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(files[2 * k], f / ("a/b/" + names[k] + ".svg"));
    EXPECT_EQ(files[2 * k + 1], f / ("a/b/" + names[k] + ".png"));
    EXPECT_TRUE(std::filesystem::exists(files[2 * k]));
    EXPECT_TRUE(std::filesystem::exists(files[2 * k + 1]));
  }
}

TEST(picture_folder, says_at_once_if_it_cannot_be_used) {
  const folder f;
  std::ofstream(f / "file") << "text";
  const auto error_of = [](const std::string& path) -> std::string {
    try {
      workbook::picture_folder folder(path);
    } catch (const gs::error& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of(""), "the folder '' for plots: it has no name; give a folder");
  EXPECT_EQ(error_of(f / "file"), "the folder '" + (f / "file").string() + "' for plots: it is a file; give a folder");
  EXPECT_NE(error_of(f / "file/below").find("give a folder that can be made"), std::string::npos);
  EXPECT_EQ(error_of("/proc"),
            "the folder '/proc' for plots: nothing can be written into it; give a folder that can be written to");
  EXPECT_NE(error_of("/proc/none").find("give a folder that can be"), std::string::npos);
}

}  // namespace
