// A plot in the window, driven by mouse and keys: the visible part is the one calculated by hand.

#include "viewer/plot/plot_widget.h"

#include <GLFW/glfw3.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "driven_plot.h"
#include "tests/temporary_folder.h"
#include "tests/viewer/hostile_texts.h"
#include "viewer/plot/view_change.h"

namespace plot_widget_test {

using workbook::scale;
using plots = viewer_test::driven_plots<viewer::null_surface>;
using range = workbook::plot_view::range;

const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();

workbook::xy_plot line() {
  return {.title = "A line",
          .x = {.label = "step", .min = 0, .max = 100},
          .y = {.label = "height", .unit = "m", .min = 0, .max = 10},
          .series = {{.name = "up", .x = {0, 50, 100}, .y = {0, 5, 10}},
                     {.name = "down", .x = {0, 50, 100}, .y = {10, 5, 0}}}};
}

const ImVec2 size{600, 400};
constexpr double pixel_of_range = 100.0 / 400;  // what a pixel more or less changes, in x

void expect_range(const std::optional<range>& computed, double low, double high, double tolerance) {
  ASSERT_TRUE(computed.has_value());
  EXPECT_NEAR(computed->low, low, tolerance);
  EXPECT_NEAR(computed->high, high, tolerance);
}

TEST(view_change, is_arithmetic) {
  const scale linear(0, 10, false), down(10, 0, false), log(1, 1e4, true);
  const auto expect = [](range computed, double low, double high) {
    EXPECT_NEAR(computed.low, low, 1e-9 * std::abs(low) + 1e-12);
    EXPECT_NEAR(computed.high, high, 1e-9 * std::abs(high));
  };
  expect(viewer::zoomed(linear, 0.25, 0.5), 1.25, 6.25);
  expect(viewer::zoomed(down, 0.25, 0.5), 3.75, 8.75);
  expect(viewer::zoomed(log, 0.5, 0.5), 10, 1000);
  expect(viewer::moved(linear, 0.1), 1, 11);
  expect(viewer::moved(down, 0.1), -1, 9);
  expect(viewer::moved(log, 0.25), 10, 1e5);
  expect(viewer::between(linear, 0.7, 0.2), 2, 7);
  expect(viewer::range_of(down), 0, 10);
}

TEST(view_change, never_leaves_what_an_axis_can_show) {
  for (const bool log : {false, true})
    for (const double factor : {0.5, 2.0}) {
      scale s(1, 2, log);
      for (int k = 0; k < 5000; ++k) {
        const range r = viewer::zoomed(s, 0.3, factor);
        ASSERT_LT(r.low, r.high);
        ASSERT_TRUE(std::isfinite(r.high - r.low));
        s = scale(r.low, r.high, log);
        ASSERT_TRUE(std::isfinite(s(r.low)) && std::isfinite(s(r.high)));
        ASSERT_FALSE(log && r.low <= 0);
      }
    }
}

TEST(plot_widget, zooms_by_the_wheel_around_the_mouse) {
  plots p({line()}, size);
  EXPECT_FALSE(p.widget().view().x);
  p.turn_wheel(p.point_inside(0.25, 0.25), 1);
  expect_range(p.widget().view().x, 5, 85, pixel_of_range);
  expect_range(p.widget().view().y, 1.5, 9.5, 0.1);
  p.turn_wheel(p.point_inside(0.25, 0.25), -1);
  expect_range(p.widget().view().x, 0, 100, pixel_of_range);
  p.on.shift = true;
  p.turn_wheel(p.point_inside(0.5, 0.5), 2);
  expect_range(p.widget().view().x, 18, 82, pixel_of_range);
  expect_range(p.widget().view().y, 0, 10, 0.1);
  p.on.shift = false;
  p.on.ctrl = true;
  p.turn_wheel(p.point_inside(0.5, 0.5), 1);
  expect_range(p.widget().view().x, 18, 82, pixel_of_range);
  expect_range(p.widget().view().y, 1, 9, 0.1);
  p.on.ctrl = false;
  p.turn_wheel({2, 2}, 5);  // not over the data
  expect_range(p.widget().view().x, 18, 82, pixel_of_range);
}

TEST(plot_widget, moves_with_the_mouse) {
  plots p({line()}, size);
  p.drag(p.point_inside(0.5, 0.5), p.point_inside(0.25, 0.75));
  expect_range(p.widget().view().x, 25, 125, pixel_of_range);
  expect_range(p.widget().view().y, 2.5, 12.5, 0.1);
  p.pause();
  p.click(p.point_inside(0.5, 0.5));  // without moving
  expect_range(p.widget().view().x, 25, 125, pixel_of_range);
}

TEST(plot_widget, zooms_into_a_box_and_shows_everything_again) {
  plots p({line()}, size);
  p.drag(p.point_inside(0.1, 0.8), p.point_inside(0.6, 0.3), 1);
  expect_range(p.widget().view().x, 10, 60, pixel_of_range);
  expect_range(p.widget().view().y, 2, 7, 0.1);
  p.drag(p.point_inside(0.5, 0.5), {1000, -50}, 1);  // beyond the edges
  expect_range(p.widget().view().x, 35, 60, pixel_of_range);
  expect_range(p.widget().view().y, 4.5, 7, 0.1);
  p.pause();
  p.click(p.point_inside(0.5, 0.5));
  p.click(p.point_inside(0.5, 0.5));
  EXPECT_FALSE(p.widget().view().x);
  EXPECT_FALSE(p.widget().view().y);
}

TEST(plot_widget, has_heat_maps_and_bars_zoomed_as_they_lie) {
  plots p({workbook::heat_map{.rows = 10, .columns = 10, .values = workbook::samples::regular(0, 1, 100)},
           workbook::bar_plot{
               .categories = {"a", "b", "c", "d"}, .value = {.max = 8}, .groups = {{.values = {1, 2, 4, 8}}}}},
          size);
  p.drag(p.point_inside(0.2, 0.1, 0), p.point_inside(0.5, 0.3, 0), 1);
  expect_range(p.widget(0).view().x, 2, 5, 0.05);
  expect_range(p.widget(0).view().y, 1, 3, 0.05);  // rows count downwards
  p.drag(p.point_inside(0.5, 0.5, 1), p.point_inside(0.25, 0.75, 1));
  expect_range(p.widget(1).view().x, 2, 10, 0.05);
  expect_range(p.widget(1).view().y, -1, 3, 0.05);
}

TEST(plot_widget, is_moved_and_zoomed_by_keys_once_it_is_entered) {
  plots p({line()}, size);
  p.on.shift = true;
  p.press(GLFW_KEY_RIGHT);
  EXPECT_FALSE(p.widget().view().x);
  p.click(p.point_inside(0.5, 0.5));
  p.press(GLFW_KEY_RIGHT);
  expect_range(p.widget().view().x, 10, 110, 1e-9);
  EXPECT_FALSE(p.widget().view().y);
  p.press(GLFW_KEY_UP);
  expect_range(p.widget().view().y, 1, 11, 1e-9);
  p.press(GLFW_KEY_LEFT);
  p.press(GLFW_KEY_DOWN);
  expect_range(p.widget().view().x, 0, 100, 1e-9);
  expect_range(p.widget().view().y, 0, 10, 1e-9);
  p.type("+");
  expect_range(p.widget().view().x, 10, 90, 1e-9);
  expect_range(p.widget().view().y, 1, 9, 1e-9);
  p.type("-");
  expect_range(p.widget().view().x, 0, 100, 1e-9);
  p.type("++");
  p.type("0");
  EXPECT_FALSE(p.widget().view().x);
  p.type("+");
  p.press(GLFW_KEY_HOME);
  EXPECT_FALSE(p.widget().view().y);
  p.press(GLFW_KEY_ESCAPE);
  p.press(GLFW_KEY_RIGHT);
  EXPECT_FALSE(p.widget().view().x);
}

TEST(plot_widget, leads_the_crosshair_by_the_arrows_once_it_is_entered) {
  plots p({line(), line()}, size, viewer::brightness::light, 1, true);
  p.press(GLFW_KEY_RIGHT);
  EXPECT_TRUE(p.widget().readings().empty());
  p.click(p.point_inside(0.5, 0.5));
  p.point({-1, -1});
  EXPECT_TRUE(p.widget().readings().empty()) << "the mouse has gone, and taken it along";
  for (int k = 0; k < 5; ++k) p.press(GLFW_KEY_RIGHT);
  auto r = p.widget().readings();
  ASSERT_EQ(r.size(), 3u);
  EXPECT_NEAR(r[0].x, 60, 1e-6) << "from the middle, a fiftieth of 0 to 100 with every press";
  EXPECT_FALSE(p.widget().view().x) << "what is visible stays";
  ASSERT_TRUE(p.link.crosshair_x && p.link.crosshair_y);
  EXPECT_NEAR(*p.link.crosshair_y, 5, 1e-6);
  EXPECT_NEAR(p.widget(1).readings().at(0).x, 60, 1e-6) << "in the linked plot, too";
  p.press(GLFW_KEY_DOWN);
  EXPECT_NEAR(*p.link.crosshair_y, 4.8, 1e-6);
  for (int k = 0; k < 60; ++k) p.press(GLFW_KEY_LEFT);
  EXPECT_NEAR(p.widget().readings().at(0).x, 0, 1e-6) << "no further than the edge";
  p.point(p.point_inside(0.25, 0.5));
  EXPECT_NEAR(p.widget().readings().at(0).x, 25, pixel_of_range) << "until the mouse moves";
  p.press(GLFW_KEY_RIGHT);
  EXPECT_NEAR(p.widget().readings().at(0).x, 27, pixel_of_range) << "on from where the mouse is";
  p.point({-1, -1});
  p.press(GLFW_KEY_RIGHT);
  p.press(GLFW_KEY_ESCAPE);
  p.frame();
  EXPECT_TRUE(p.widget().readings().empty());
  EXPECT_FALSE(p.link.crosshair_x);
}

TEST(plot_widget, leads_the_crosshair_by_elements_and_categories) {
  plots p({workbook::heat_map{.rows = 2, .columns = 4, .values = {0, 1, 2, 3, 4, 5, nan, 7}},
           workbook::bar_plot{.categories = {"a", "b"}, .groups = {{"first", {1, 2}}}}},
          size);
  p.click(p.point_inside(0.4, 0.25, 0));
  p.press(GLFW_KEY_RIGHT);
  EXPECT_EQ(p.widget(0).readings().at(2).text, "2");
  p.press(GLFW_KEY_DOWN);
  EXPECT_EQ(p.widget(0).readings().at(2).text, "no value");
  p.press(GLFW_KEY_LEFT);
  EXPECT_EQ(p.widget(0).readings().at(2).text, "5");
  p.click(p.point_inside(0.5, 0.25, 1));
  EXPECT_EQ(p.widget(1).readings().at(0).name, "a");
  p.press(GLFW_KEY_DOWN);
  EXPECT_EQ(p.widget(1).readings().at(0).name, "b");
}

TEST(plot_widget, hides_series_by_the_legend_and_by_number) {
  plots p({line()}, size);
  const auto legend = p.widget().geometry().legend;
  ASSERT_EQ(legend.size(), 2u);
  p.click(p.pixel({legend[1].left + 5, legend[1].top + 5}));
  EXPECT_FALSE(p.widget().view().is_hidden(0));
  EXPECT_TRUE(p.widget().view().is_hidden(1));
  p.click(p.point_inside(0.5, 0.5));
  p.type("12");
  EXPECT_TRUE(p.widget().view().is_hidden(0));
  EXPECT_FALSE(p.widget().view().is_hidden(1));
  p.type("9");  // there is no such series
  EXPECT_EQ(p.widget().view().hidden.size(), 2u);
}

TEST(plot_widget, tells_the_values_at_the_crosshair) {
  workbook::xy_plot many_points = line();
  many_points.series.push_back(
      {.name = "cloud", .x = {70, 10, 70}, .y = {8, 1, 2}, .style = workbook::drawn_as::points});
  many_points.series[1].y = {10, nan, 0};
  plots p({many_points}, size);
  EXPECT_TRUE(p.widget().readings().empty());
  p.point(p.point_inside(0.4, 0.5));
  auto r = p.widget().readings();
  ASSERT_EQ(r.size(), 3u);  // no point of the cloud is near
  EXPECT_EQ(r[0].name, "step");
  EXPECT_NEAR(r[0].x, 40, pixel_of_range);
  EXPECT_EQ(r[1].name, "up");
  EXPECT_EQ(r[1].text, "5 m");
  EXPECT_EQ(r[1].x, 50);
  EXPECT_EQ(r[2].text, "no value");
  p.point(p.point_inside(0.7, 0.79));
  r = p.widget().readings();
  ASSERT_EQ(r.size(), 4u);
  EXPECT_EQ(r[3].name, "cloud");
  EXPECT_EQ(r[3].text, "70, 2 m");
  p.click(p.point_inside(0.7, 0.79));
  p.type("1");
  EXPECT_EQ(p.widget().readings().size(), 3u);
  p.point({-1, -1});
  EXPECT_TRUE(p.widget().readings().empty());
}

TEST(plot_widget, tells_the_bar_of_a_timeline_under_the_mouse) {
  plots p({workbook::timeline{.time = {.unit = "ms", .min = 0, .max = 10},
                              .rows = {"first", "second"},
                              .groups = {"copy", "launch"},
                              .bars = {{.row = 0, .group = 0, .start = 0, .stop = 4},
                                       {.row = 1, .group = 1, .start = 2, .stop = 8, .text = "stir"}}}},
          size);
  p.point(p.point_inside(0.25, 0.25));
  auto r = p.widget().readings();
  ASSERT_EQ(r.size(), 2u);
  EXPECT_EQ(r[0].name, "first");
  EXPECT_EQ(r[1].name, "copy");
  EXPECT_EQ(r[1].text, "0 ms to 4 ms");
  EXPECT_EQ(r[1].series, 0u);
  p.point(p.point_inside(0.5, 0.75));
  r = p.widget().readings();
  ASSERT_EQ(r.size(), 2u);
  EXPECT_EQ(r[0].name, "second");
  EXPECT_EQ(r[1].name, "stir");
  p.point(p.point_inside(0.9, 0.75));
  EXPECT_EQ(p.widget().readings().size(), 1u) << "nothing runs there";
}

TEST(plot_widget, tells_the_element_and_the_bar_under_the_mouse) {
  plots p({workbook::heat_map{.x = {.label = "column"},
                              .value = {.unit = "K"},
                              .rows = 2,
                              .columns = 4,
                              .values = {0, 1, 2, 3, 4, 5, nan, 7}},
           workbook::bar_plot{.categories = {"a", "b"}, .groups = {{"first", {1, 2}}, {"second", {3, 4}}}}},
          size);
  p.point(p.point_inside(0.4, 0.75, 0));
  auto r = p.widget(0).readings();
  ASSERT_EQ(r.size(), 3u);
  EXPECT_EQ(r[0].name, "column");
  EXPECT_NEAR(r[0].x, 1.6, 0.02);
  EXPECT_EQ(r[2].text, "5 K");
  p.point(p.point_inside(0.6, 0.75, 0));
  EXPECT_EQ(p.widget(0).readings()[2].text, "no value");
  p.point(p.point_inside(0.5, 0.9, 1));
  r = p.widget(1).readings();
  ASSERT_EQ(r.size(), 3u);
  EXPECT_EQ(r[0].name, "b");
  EXPECT_EQ(r[1].text, "2");
  EXPECT_EQ(r[2].text, "4");
}

TEST(plot_widget, shares_range_and_crosshair_with_those_linked_to_it) {
  plots p({line(), line()}, size, viewer::brightness::light, 1, true);
  p.turn_wheel(p.point_inside(0.25, 0.25, 1), 1);
  expect_range(p.widget(0).view().x, 5, 85, pixel_of_range);
  expect_range(p.widget(1).view().x, 5, 85, pixel_of_range);
  p.point(p.point_inside(0.5, 0.5, 1));
  p.frame();
  ASSERT_TRUE(p.link.crosshair_x);
  EXPECT_NEAR(*p.link.crosshair_x, 45, pixel_of_range);
  EXPECT_EQ(p.widget(0).readings().size(), 3u);
  EXPECT_EQ(p.widget(0).readings()[0].x, p.widget(1).readings()[0].x);
  p.point({-1, -1});
  p.frame();
  EXPECT_FALSE(p.link.crosshair_x);
  EXPECT_TRUE(p.widget(0).readings().empty());
}

TEST(plot_widget, keeps_the_view_when_the_data_changes) {
  plots p({line()}, size);
  p.turn_wheel(p.point_inside(0.5, 0.5), 1);
  p.click(p.point_inside(0.5, 0.5));
  p.type("2");
  auto other_plot = line();
  other_plot.series[0].y = {1, 2, 3};
  p.widget().set(std::make_shared<const workbook::plot>(other_plot));
  p.frame();
  expect_range(p.widget().view().x, 10, 90, pixel_of_range);
  EXPECT_TRUE(p.widget().view().is_hidden(1));
  p.point(p.point_inside(0.5, 0.6));
  EXPECT_EQ(p.widget().readings()[1].text, "2 m");
}

TEST(plot_widget, keeps_its_place_and_size_while_its_numbers_change) {
  const auto numbers = [](double v) { return workbook::xy_plot{.title = "n", .series = {{.y = {0, v}}}}; };
  const auto field = [](double v) {
    return workbook::heat_map{.title = "f", .rows = 1, .columns = 2, .values = {0, v}};
  };
  plots p({numbers(0.00125), field(0.00125)}, size);
  for (const double v : {20000.0, 3.0, 0.0125, 7777.7})
    for (std::size_t k : {0u, 1u}) {
      const workbook::box plot_before = p.widget(k).geometry().plot;
      p.widget(k).set(k == 0 ? std::make_shared<const workbook::plot>(numbers(v))
                             : std::make_shared<const workbook::plot>(field(v)));
      p.frames(2);
      const workbook::box plot_now = p.widget(k).geometry().plot;
      EXPECT_GE(plot_now.left, plot_before.left) << v;
      EXPECT_LE(plot_now.width, plot_before.width) << v << ": it only ever makes room";
      if (v < 20000) {
        EXPECT_EQ(plot_now.left, plot_before.left) << v;
        EXPECT_EQ(plot_now.width, plot_before.width) << v;
      }
    }
}

TEST(plot_widget, says_what_is_wrong_with_a_plot) {
  plots p({workbook::xy_plot{.series = {{.x = {1, 2}, .y = {1}}}}, line()}, size);
  p.point(p.point_inside(0.5, 0.5, 0));
  EXPECT_FALSE(p.widget(0).geometry().shown);
  p.widget(0).set(std::make_shared<const workbook::plot>(line()));
  p.frames(2);
  EXPECT_TRUE(p.widget(0).geometry().shown);
}

TEST(plot_widget, lives_with_any_text) {
  for (const std::string& text : viewer_test::hostile_texts()) {
    const workbook::axis axis{.label = text, .unit = text};
    plots p({workbook::xy_plot{.title = text,
                               .x = axis,
                               .y = axis,
                               .series = {{.name = text, .y = {1, 2}}, {.name = text, .y = {2, 1}}},
                               .references = {{1.5, text}, {0.5, text, true}}},
             workbook::bar_plot{.title = text,
                                .category_label = text,
                                .categories = {text, text},
                                .value = axis,
                                .groups = {{text, {1, 2}}, {text, {2, 1}}}},
             workbook::heat_map{
                 .title = text, .x = axis, .y = axis, .value = axis, .rows = 1, .columns = 2, .values = {0, 1}}},
            size);
    for (std::size_t k = 0; k < 3; ++k) {
      p.point(p.point_inside(0.5, 0.5, k));
      p.click(p.point_inside(0.5, 0.5, k));
      p.type("m");
      p.frames(2);
      p.press(GLFW_KEY_ESCAPE);
      EXPECT_TRUE(p.widget(k).geometry().shown) << k;
    }
  }
}

class saved : public testing::Test {
 protected:
  // Opens the menu and chooses the entry so far down.
  void choose(plots& p, int entry) {
    p.pause();
    p.click(p.point_inside(0.5, 0.5));
    p.type("m");
    p.frames(2);
    for (int k = 0; k < entry; ++k) p.press(GLFW_KEY_DOWN);
    p.press(GLFW_KEY_SPACE);
    p.frames(3);
  }
  // The same, says where, and waits for the file; without a place at the one that is proposed.
  void save(plots& p, int entry, const std::string& name = "") {
    choose(p, entry);
    if (!name.empty()) {
      p.on.ctrl = true;
      p.press(GLFW_KEY_A);
      p.on.ctrl = false;
      p.type(name.c_str());
    }
    p.press(viewer::key_enter);
    for (int k = 0; k < 500 && std::filesystem::is_empty(folder); ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      p.frame();
    }
    p.settle();
  }
  std::string text(const char* name) {
    std::ifstream in(folder / name);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  // Cairo counts what is in all files.
  static std::string unnumbered(std::string svg) {
    for (const std::string word : {"clip", "surface"})
      for (std::size_t at = 0; (at = svg.find(word, at)) != svg.npos;) {
        at += word.size();
        svg.erase(at, std::min(svg.find_first_not_of("0123456789", at), svg.size()) - at);
      }
    return svg;
  }
  gridstride_test::temporary_folder temporary_;
  std::filesystem::path folder = temporary_.path();
};

TEST_F(saved, plots_are_pictures_and_data) {
  plots p({line()}, size);
  p.widget().save_into(folder);
  p.drag(p.point_inside(0.25, 0.25), p.point_inside(0.75, 0.75), 1);
  // Show everything, up, down, PNG, SVG, all, visible.
  save(p, 4);
  EXPECT_NE(text("a-line.svg").find("viewBox=\"0 0 720 450\""), std::string::npos);
  save(p, 3);
  EXPECT_EQ(text("a-line.png").substr(1, 3), "PNG");
  save(p, 5);
  EXPECT_EQ(text("a-line.csv"),
            "series,step,height [m]\nup,0,0\nup,50,5\nup,100,10\ndown,0,10\ndown,50,5\ndown,100,0\n");
  save(p, 6);
  EXPECT_EQ(text("a-line-2.csv"), "series,step,height [m]\nup,50,5\ndown,50,5\n");
  write_svg(line(), (folder / "expected.svg").string(), {}, p.widget().view());
  EXPECT_EQ(unnumbered(text("a-line.svg")), unnumbered(text("expected.svg")));
  EXPECT_NE(text("expected.svg").find("clip"), std::string::npos);
}

TEST_F(saved, plots_are_not_where_nothing_can_be_written) {
  plots p({line()}, size);
  p.widget().save_into(folder / "none");
  save(p, 5);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  EXPECT_FALSE(std::filesystem::exists(folder / "none")) << "no folder is made of a slip of the pen";
  EXPECT_TRUE(p.widget().geometry().shown);  // the error is shown, and the plot stays
}

TEST_F(saved, plots_are_where_the_reader_says) {
  plots p({line()}, size);
  p.widget().save_into(folder);
  std::filesystem::create_directory(folder / "thesis");
  choose(p, 5);
  EXPECT_TRUE(std::filesystem::is_empty(folder / "thesis") && !std::filesystem::exists(folder / "a-line.csv"))
      << "nothing is written before the reader has said where";
  p.press(GLFW_KEY_ESCAPE);
  p.settle();
  EXPECT_FALSE(std::filesystem::exists(folder / "a-line.csv")) << "nor if the reader has thought better of it";
  save(p, 5, (folder / "thesis/figure 3.csv").string());
  EXPECT_TRUE(std::filesystem::exists(folder / "thesis/figure 3.csv"));
  save(p, 5);
  EXPECT_TRUE(std::filesystem::exists(folder / "thesis/a-line.csv")) << "the folder stays";
  save(p, 5, (folder / "thesis").string());
  EXPECT_TRUE(std::filesystem::is_directory(folder / "thesis")) << "a folder is no file";
}

// Nothing that hands can do ends in an assertion, whatever the data.
TEST_F(saved, plots_or_not_live_through_thousands_of_random_inputs) {
  std::mt19937 random(11);
  const auto draw = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::vector<double> wild(5000);
  for (double& v : wild) v = std::pow(10, draw(600) - 300) * (draw(2) - 0.5);
  workbook::access_picture access;
  access.warp.requests = {{.space = gs::memory_space::global, .bytes = 4, .lanes = {{0, 0}, {1, 4}}}};
  const std::vector<workbook::plot> odd{
      workbook::xy_plot{},
      workbook::xy_plot{.series = {{.name = "none"}}},
      workbook::xy_plot{.series = {{.name = "one", .y = {7}}}},
      workbook::xy_plot{.series = {{.name = "nan", .y = {nan, nan}}, {.name = "inf", .y = {inf, -inf, 1}}}},
      workbook::xy_plot{.series = {{.name = "far", .x = {-1e308, 1e308}, .y = {-1e308, 1e308}}}},
      workbook::xy_plot{
          .x = {.log = true},
          .y = {.log = true},
          .series = {{.name = "wild", .x = wild, .y = wild, .style = workbook::drawn_as::line_and_points}}},
      workbook::xy_plot{.series = {{.name = "w", .y = wild, .spread = wild}},
                        .references = {{nan, "nan"}, {inf, "inf", true}}},
      workbook::xy_plot{.y = {.log = true}, .series = {{.name = "bins", .y = wild, .style = workbook::drawn_as::bins}}},
      workbook::bar_plot{},
      workbook::bar_plot{.categories = {"a", "b"}, .groups = {{"x", {nan, inf}}, {"y", {-1e300, 1e300}}}},
      workbook::heat_map{},
      workbook::heat_map{.rows = 1, .columns = 1, .values = {nan}},
      workbook::heat_map{.x = {.log = true}, .value = {.log = true}, .rows = 50, .columns = 100, .values = wild},
      access,
      workbook::timeline{},
      workbook::timeline{.rows = {"a", "b"},
                         .groups = {"x", "y"},
                         .bars = {{.row = 1, .group = 1, .start = nan, .stop = nan},
                                  {.row = 0, .group = 0, .start = -1e300, .stop = 1e300, .text = "long"},
                                  {.row = 1, .group = 0, .start = 0, .stop = 0}}},
      workbook::diagram{.groups = {"a"},
                        .cells = {{.text = "x", .group = 0}, {.x = 3, .y = 2, .text = "y"}},
                        .arrows = {{.from = 0, .to = 1}}},
      workbook::diagram{.arrows = {{.from = 7, .to = 8}}}};
#ifdef __SANITIZE_ADDRESS__  // which draws five times as slowly
  constexpr int steps = 150;
#else
  constexpr int steps = 700;
#endif
  for (const ImVec2 size : {ImVec2{200, 150}, ImVec2{33, 7}, ImVec2{420, 300}}) {
    plots p(odd, size, viewer::brightness::dark, 1, draw(2) == 1);
    for (auto& w : p.widgets) w.save_into(folder / "none");  // a hand may find the menu
    constexpr int keys[] = {GLFW_KEY_LEFT, GLFW_KEY_RIGHT, GLFW_KEY_UP,    GLFW_KEY_DOWN,
                            GLFW_KEY_HOME, GLFW_KEY_ENTER, GLFW_KEY_ESCAPE};
    const std::string letters = "+-0123456789";
    for (int k = 0; k < steps; ++k) {
      if (draw(3) == 0)
        p.on.mouse = {static_cast<float>(draw(static_cast<int>(p.on.size.x))),
                      static_cast<float>(draw(static_cast<int>(p.on.size.y)))};
      if (draw(3) == 0) p.on.buttons[draw(2)] = draw(2) == 1;
      if (draw(4) == 0) p.on.wheel = static_cast<float>(draw(9) - 4);
      if (draw(6) == 0) p.on.keys = {keys[draw(7)]};
      if (draw(6) == 0) p.on.keys = {};
      if (draw(10) == 0) p.on.text = letters[static_cast<std::size_t>(draw(12))];
      if (draw(20) == 0) p.on.shift = !p.on.shift;
      p.frame();
      const ImDrawData& drawn = *ImGui::GetDrawData();
      for (int l = 0; l < drawn.CmdListsCount; ++l)
        for (const ImDrawVert& v : drawn.CmdLists[l]->VtxBuffer)
          ASSERT_TRUE(std::abs(v.pos.x) < 1e5f && std::abs(v.pos.y) < 1e5f)
              << v.pos.x << ", " << v.pos.y << " in step " << k << " at size " << size.x;
      for (const auto& w : p.widgets)
        for (const auto& r : {w.view().x, w.view().y})
          ASSERT_TRUE(!r || (r->low < r->high && std::isfinite(r->high - r->low)))
              << r->low << " to " << r->high << " of plot " << &w - p.widgets.data();
    }
  }
}

}  // namespace plot_widget_test
