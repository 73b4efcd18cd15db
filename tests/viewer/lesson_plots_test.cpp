// Every plot of every lesson as the window draws it, beside the file of the same plot: light and dark, one of the two
// at twice the scale, in turn the dark one and the light one.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include "driven_plot.h"
#include "runtime/core/error.h"
#include "tests/lessons/lesson_process.h"
#include "tests/viewer/compared_picture.h"
#include "viewer/course/lesson_run.h"
#include "workbook/picture/picture.h"

namespace lesson_plots_test {

using plots = viewer_test::driven_plots<viewer::offscreen>;

viewer::run_state report_of(const std::string& lesson) {
  // Lessons without a size refuse the option; they are small.
  const bool sized = run_lesson(lesson, "--help").out.find("--size ") != std::string::npos;
  std::vector<std::string> options;
  if (sized) options = {"--size", prime_size(lesson)};
  const viewer::lesson_run run(viewer::lesson_run::of_program(std::filesystem::path(LESSON_PROGRAMS) / lesson, options),
                               [] {});
  for (;;) {
    const viewer::run_state now = run.state();
    if (now.stage != viewer::run_stage::running) return now;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

// Data is coloured, letters and axes are grey: per block of 8 x 8 points, whether there is any colour.
std::vector<bool> coloured_blocks(const viewer::pixels& p, int side) {
  std::vector<bool> coloured;
  for (int top = 0; top + side <= p.rows; top += side)
    for (int left = 0; left + side <= p.columns; left += side) {
      int count = 0;
      for (int row = top; row < top + side; ++row)
        for (int column = left; column < left + side; ++column) {
          const std::uint32_t v = p.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(p.columns) +
                                           static_cast<std::size_t>(column)];
          const auto [least, most] = std::minmax({v & 0xff, v >> 8 & 0xff, v >> 16 & 0xff});
          count += most - least > 60;
        }
      coloured.push_back(count >= side / 4);
    }
  return coloured;
}

// Of the blocks with colour in one picture, the share that has none in the other, nor beside it.
double missing_share(const viewer::pixels& a, const viewer::pixels& b, int side) {
  const std::vector<bool> in_a = coloured_blocks(a, side), in_b = coloured_blocks(b, side);
  const int columns = a.columns / side, rows = a.rows / side;
  int all = 0, missing = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      if (!in_a[static_cast<std::size_t>(row * columns + column)]) continue;
      ++all;
      bool found = false;
      for (int y = std::max(row - 1, 0); y <= std::min(row + 1, rows - 1); ++y)
        for (int x = std::max(column - 1, 0); x <= std::min(column + 1, columns - 1); ++x)
          found = found || in_b[static_cast<std::size_t>(y * columns + x)];
      missing += !found;
    }
  return all > 0 ? static_cast<double>(missing) / all : 0;
}
double apart(const viewer::pixels& a, const viewer::pixels& b, int side) {
  return std::max(missing_share(a, b, side), missing_share(b, a, side));
}

class picture_test : public testing::Test {
 protected:
  void SetUp() override {
    if (viewer::find_fonts().text.empty()) GTEST_SKIP() << "Inter isn't installed: letters would look otherwise";
    try {
      const viewer::offscreen tried({8, 8});
    } catch (const gs::machine_error& e) {
      GTEST_SKIP() << e.what();
    }
  }
};
class lesson_plots : public picture_test, public testing::WithParamInterface<std::string> {};

TEST_P(lesson_plots, look_in_the_window_as_in_their_files) {
  const viewer::run_state report = report_of(GetParam());
  ASSERT_EQ(report.stage, viewer::run_stage::finished) << report.message;
  const auto file = std::filesystem::temp_directory_path() / ("lesson-plot-" + std::to_string(getpid()) + ".png");
  bool dark_is_large = false;
  for (const auto& item : report.items) {
    const auto* plot = std::get_if<workbook::plot>(item.get());
    if (plot == nullptr || workbook::only_nan(*plot)) continue;
    const workbook::picture_size size = size_of(*plot);
    dark_is_large = !dark_is_large;
    for (const auto& [brightness, scale] : {std::pair{viewer::brightness::light, dark_is_large ? 1 : 2},
                                            std::pair{viewer::brightness::dark, dark_is_large ? 2 : 1}}) {
      const auto& look = brightness == viewer::brightness::dark ? workbook::dark_look : workbook::light_look;
      const ImVec2 pixels{std::round(static_cast<float>(scale * size.width)),
                          std::round(static_cast<float>(scale * size.height))};
      plots p({*plot}, pixels, brightness, static_cast<float>(scale));
      p.settle();
      write_png(*plot, file.string(), scale, look);
      const viewer::pixels window = p.on.picture(), drawn = viewer_test::read_png(file);
      ASSERT_EQ(window.columns, drawn.columns);
      ASSERT_EQ(window.rows, drawn.rows);
      EXPECT_LT(apart(window, drawn, 8 * scale), 0.05)
          << title_of(*plot) << ", " << (brightness == viewer::brightness::dark ? "dark" : "light") << ", scale "
          << scale;
    }
  }
  std::filesystem::remove(file);
}

TEST_F(picture_test, tells_apart_pictures_that_lack_a_series_or_show_another) {
  const auto wave = [](double shift) {
    std::vector<double> y;
    for (int k = 0; k < 200; ++k) y.push_back(std::sin(0.05 * k + shift));
    return y;
  };
  const auto shown = [](std::vector<workbook::series> all) {
    workbook::xy_plot plot{.title = "Waves", .y = {.min = -1, .max = 1}, .series = std::move(all)};
    plots p({plot}, {700, 400});
    p.settle();
    return p.on.picture();
  };
  const workbook::series one{.name = "one", .y = wave(0)}, two{.name = "two", .y = wave(1)};
  const viewer::pixels both = shown({one, two});
  EXPECT_EQ(apart(both, shown({one, two}), 8), 0);
  EXPECT_GT(apart(both, shown({one}), 8), 0.1);
  EXPECT_GT(apart(shown({one}), shown({{.name = "one", .y = wave(0.5)}}), 8), 0.1);
}

INSTANTIATE_TEST_SUITE_P(, lesson_plots, testing::ValuesIn(lesson_names()), test_name);

}  // namespace lesson_plots_test
