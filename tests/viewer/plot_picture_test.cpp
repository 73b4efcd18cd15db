// Plots as the window draws them, beside pictures that were looked at, and beside the files of the same plots.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "driven_plot.h"
#include "runtime/core/error.h"
#include "tests/viewer/compared_picture.h"
#include "viewer/window/offscreen.h"

namespace plot_picture_test {

using viewer::pixels;
using plots = viewer_test::driven_plots<viewer::offscreen>;

using viewer_test::difference;
using viewer_test::expect_looks_like;
using viewer_test::looks_like;
using viewer_test::picture_difference;
using viewer_test::read_png;

std::vector<workbook::plot> every_kind() {
  std::vector<double> wave, other, field;
  for (int k = 0; k < 400; ++k) {
    wave.push_back(k % 90 == 40 ? std::nan("") : std::sin(k * 0.03));
    other.push_back(0.6 * std::cos(k * 0.05) + 0.3 * std::sin(k * k));
  }
  for (int row = 0; row < 60; ++row)
    for (int column = 0; column < 80; ++column)
      field.push_back(row == column ? std::nan("") : std::sin(row * 0.2) * std::cos(column * 0.15));
  workbook::access_picture access{.title = "Every other word"};
  access.warp.requests = {{.space = gs::memory_space::global, .bytes = 4}};
  for (std::uint8_t lane = 0; lane < 32; ++lane) access.warp.requests[0].lanes.push_back({lane, 8ull * lane});
  return {workbook::xy_plot{.title = "Waves, µs",
                            .x = {.label = "step"},
                            .y = {.label = "height", .unit = "m"},
                            .series = {{.name = "with gaps", .y = wave},
                                       {.name = "points", .y = other, .style = workbook::drawn_as::points}},
                            .references = {{0.5, "half"}, {250, "here", true}}},
          workbook::xy_plot{.title = "Decades",
                            .x = {.label = "size", .log = true},
                            .y = {.label = "time", .unit = "ms", .log = true},
                            .series = {{.name = "ours",
                                        .x = {1, 10, 100, 1e5},
                                        .y = {1, 2, 0.5, 7},
                                        .spread = {0.5, 1, 0.1, 2},
                                        .style = workbook::drawn_as::line_and_points},
                                       {.name = "theirs", .x = {1, 1e5}, .y = {3, 4}}}},
          workbook::bar_plot{.title = "Bars",
                             .category_label = "what",
                             .categories = {"one", "two", "three"},
                             .value = {.label = "change", .unit = "s"},
                             .groups = {{"first", {1, 2, std::nan("")}, {0.1, 0.2, 0.1}}, {"second", {-1, 2, 3}}}},
          workbook::heat_map{.title = "A field",
                             .x = {.label = "x"},
                             .y = {.label = "y"},
                             .value = {.label = "level", .unit = "K"},
                             .rows = 60,
                             .columns = 80,
                             .values = field},
          access};
}

class plot_picture : public testing::Test {
 protected:
  void SetUp() override {
    if (viewer::find_fonts().text.empty()) GTEST_SKIP() << "Inter isn't installed: letters would look otherwise";
    try {
      viewer::offscreen surface({8, 8});
    } catch (const gs::machine_error& e) {
      GTEST_SKIP() << e.what();
    }
  }
};

auto drawing(plots& p) {
  return [&p] {
    p.frame();
    return p.on.picture();
  };
}

TEST_F(plot_picture, of_every_kind_looks_as_it_did) {
  for (const auto& [brightness, name] :
       {std::pair{viewer::brightness::light, "light"}, {viewer::brightness::dark, "dark"}})
    for (const int scale : {1, 2}) {
      const auto s = static_cast<float>(scale);
      plots p(every_kind(), {260 * s, 200 * s}, brightness, s);
      p.point(p.point_inside(0.3, 0.4));  // with its crosshair
      expect_looks_like(drawing(p), "plots-" + std::string(name) + "-" + std::to_string(scale));
    }
}

TEST_F(plot_picture, of_the_least_size_is_whole) {
  plots p(every_kind(), {200, 150}, viewer::brightness::dark);
  expect_looks_like(drawing(p), "plots-small");
}

TEST_F(plot_picture, says_that_a_difference_is_one) {
  plots p(every_kind(), {260, 200});
  const pixels picture_before = p.on.picture();
  EXPECT_EQ(difference(picture_before, picture_before, 4).worst, 0);
  p.click(p.point_inside(0.5, 0.5));
  p.type("2");  // a series less
  p.point({-1, -1});
  p.frame();
  EXPECT_FALSE(looks_like(difference(picture_before, p.on.picture(), 4)));
}

TEST_F(plot_picture, says_that_a_word_has_moved) {
  const auto titled = [](const std::string& title) {
    plots p({workbook::xy_plot{.title = title, .series = {{.name = "one", .y = {1, 2}}}}}, {1100, 900});
    p.settle();
    return p.on.picture();
  };
  const picture_difference moved = difference(titled("A few words"), titled("A few   words"), 4);
  EXPECT_LT(moved.mean, 0.35) << "this is what the squares are for";
  EXPECT_FALSE(looks_like(moved));
  EXPECT_EQ(moved.worst_row, 0);
}

TEST_F(plot_picture, in_the_window_is_the_one_in_the_file) {
  const auto file = std::filesystem::temp_directory_path() / ("plot-picture-" + std::to_string(getpid()) + ".png");
  std::vector<workbook::plot> kinds = every_kind();
  kinds.push_back(workbook::diagram{.title = "Copies",
                                    .groups = {"host", "device"},
                                    .cells = {{.x = 0, .y = 0, .width = 2, .text = "x", .group = 0},
                                              {.x = 8, .y = 0, .width = 3, .text = "a note"},
                                              {.x = 0, .y = 3, .width = 2, .text = "x", .group = 1}},
                                    .arrows = {{.from = 0, .to = 2, .group = 0}, {.from = 2, .to = 1}}});
  kinds.push_back(workbook::timeline{.title = "What ran when",
                                     .rows = {"0", "1"},
                                     .groups = {"copy", "launch"},
                                     .bars = {{.row = 0, .group = 0, .start = 0, .stop = 2},
                                              {.row = 0, .group = 1, .start = 2, .stop = 5, .text = "stir"},
                                              {.row = 1, .group = 0, .start = 2, .stop = 4}}});
  for (const workbook::plot& kind : kinds) {
    const workbook::picture_size size = size_of(kind);
    const ImVec2 double_size{static_cast<float>(2 * size.width), static_cast<float>(2 * size.height)};
    plots p({kind}, double_size, viewer::brightness::light, 2);
    const pixels window = p.on.picture();
    write_png(kind, file.string(), 2);
    const pixels drawn = read_png(file);
    ASSERT_EQ(window.columns, drawn.columns);
    ASSERT_EQ(window.rows, drawn.rows);
    // Letters and edges differ by parts of a pixel; what lies where, in which colour, doesn't.
    EXPECT_LT(difference(window, drawn, 16).mean, 1.5) << title_of(kind);
  }
  std::filesystem::remove(file);
}

TEST_F(plot_picture, of_live_data_is_new_in_every_frame) {
  const auto level = [](float v) {
    return workbook::heat_map{
        .value = {.min = 0, .max = 1}, .rows = 20, .columns = 20, .values = std::vector<float>(400, v)};
  };
  plots p({level(0)}, {300, 300});
  const auto colour_inside = [&] {
    const ImVec2 at = p.point_inside(0.5, 0.5);
    const pixels picture = p.on.picture();
    return picture.values[static_cast<std::size_t>(at.y) * static_cast<std::size_t>(picture.columns) +
                          static_cast<std::size_t>(at.x)];
  };
  for (const float v : {0.0f, 0.5f, 1.0f}) {
    p.widget().set(std::make_shared<const workbook::plot>(level(v)));
    p.frame();
    EXPECT_EQ(colour_inside(), workbook::pixel_of(map_colour(workbook::colour_map::viridis, static_cast<double>(v))));
  }
}

}  // namespace plot_picture_test
