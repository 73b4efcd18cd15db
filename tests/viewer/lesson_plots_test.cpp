// Every plot of every lesson as the window draws it, light and dark, at both scales: beside
// tests/viewer/pictures/lessons, and beside the file of the same plot, one of the two themes at twice the scale, in
// turn the dark one and the light one.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
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
    const viewer::run_state state = run.state();
    if (state.stage != viewer::run_stage::running) return state;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

// Data is coloured, letters and axes are grey: per block of side x side points, whether at least `points` of them have
// a colour, whose channels are more than `strength` apart.
std::vector<bool> coloured_blocks(const viewer::pixels& p, int side, int strength, int points) {
  std::vector<bool> coloured;
  for (int top = 0; top + side <= p.rows; top += side)
    for (int left = 0; left + side <= p.columns; left += side) {
      int count = 0;
      for (int row = top; row < top + side; ++row)
        for (int column = left; column < left + side; ++column) {
          const std::uint32_t v = p.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(p.columns) +
                                           static_cast<std::size_t>(column)];
          const int red = v & 0xff, green = v >> 8 & 0xff, blue = v >> 16 & 0xff;
          count += std::max({std::abs(red - green), std::abs(green - blue), std::abs(blue - red)}) > strength;
        }
      coloured.push_back(count >= points);
    }
  return coloured;
}

// Of the blocks with colour in one picture, the share that has no trace of it in the other, nor beside it: the edge of
// a bar that is shorter than a point is a strong colour in one picture and a weak one in the other.
double missing_share(const viewer::pixels& a, const viewer::pixels& b, int side) {
  const std::vector<bool> in_a = coloured_blocks(a, side, 60, side / 4), in_b = coloured_blocks(b, side, 12, 1);
  const int columns = a.columns / side, rows = a.rows / side;
  int blocks = 0, missing = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      if (!in_a[static_cast<std::size_t>(row * columns + column)]) continue;
      ++blocks;
      bool is_found = false;
      for (int y = std::max(row - 1, 0); y <= std::min(row + 1, rows - 1); ++y)
        for (int x = std::max(column - 1, 0); x <= std::min(column + 1, columns - 1); ++x)
          is_found = is_found || in_b[static_cast<std::size_t>(y * columns + x)];
      missing += !is_found;
    }
  return blocks > 0 ? static_cast<double>(missing) / blocks : 0;
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
class lesson_plots : public picture_test, public testing::WithParamInterface<std::string> {
 protected:
  struct look {
    viewer::brightness brightness;
    int scale;
  };
  static constexpr look looks[] = {{viewer::brightness::light, 1},
                                   {viewer::brightness::dark, 1},
                                   {viewer::brightness::light, 2},
                                   {viewer::brightness::dark, 2}};

  static viewer::pixels in_the_window(const workbook::plot& plot, look l) {
    const workbook::picture_size size = size_of(plot);
    plots p(
        {plot},
        {std::round(static_cast<float>(l.scale * size.width)), std::round(static_cast<float>(l.scale * size.height))},
        l.brightness, static_cast<float>(l.scale));
    p.settle();
    return p.on.picture();
  }
};

// Letters and edges differ by parts of a pixel.
void expect_as_in_its_file(const workbook::plot& plot, const viewer::pixels& window, bool dark, int scale) {
  const auto file = std::filesystem::temp_directory_path() / ("lesson-plot-" + std::to_string(getpid()) + ".png");
  write_png(plot, file.string(), scale, dark ? workbook::dark_look : workbook::light_look);
  const viewer::pixels drawn = viewer_test::read_png(file);
  std::filesystem::remove(file);
  ASSERT_EQ(window.columns, drawn.columns);
  ASSERT_EQ(window.rows, drawn.rows);
  EXPECT_LT(apart(window, drawn, 8 * scale), 0.05)
      << title_of(plot) << ", " << (dark ? "dark" : "light") << ", scale " << scale;
}

// The means of blocks of side x side pixels.
viewer::pixels shrunk(const viewer::pixels& p, int side) {
  viewer::pixels small{p.columns / side, p.rows / side, {}};
  for (int row = 0; row < small.rows; ++row)
    for (int column = 0; column < small.columns; ++column) {
      const auto count = static_cast<std::uint32_t>(side * side);
      std::uint32_t red = 0, green = 0, blue = 0;
      for (int y = 0; y < side; ++y) {
        const std::uint32_t* line = p.values.data() + (row * side + y) * p.columns + column * side;
        for (int x = 0; x < side; ++x) {
          red += line[x] & 0xff;
          green += line[x] >> 8 & 0xff;
          blue += line[x] >> 16 & 0xff;
        }
      }
      small.values.push_back(0xff000000u | (blue / count) << 16 | (green / count) << 8 | red / count);
    }
  return small;
}

// Pictures one beside the other; `below` another row. What they leave is white.
void place(viewer::pixels& sheet, const std::vector<viewer::pixels>& pictures) {
  int columns = 0, rows = 0;
  for (const viewer::pixels& p : pictures) columns += p.columns, rows = std::max(rows, p.rows);
  viewer::pixels larger{std::max(sheet.columns, columns), sheet.rows + rows, {}};
  larger.values.resize(static_cast<std::size_t>(larger.columns) * static_cast<std::size_t>(larger.rows), 0xffffffffu);
  const auto copy = [&](const viewer::pixels& from, int top, int left) {
    for (int row = 0; row < from.rows; ++row)
      std::copy_n(from.values.begin() + row * from.columns, from.columns,
                  larger.values.begin() + (top + row) * larger.columns + left);
  };
  copy(sheet, 0, 0);
  for (int left = 0; const viewer::pixels& p : pictures) {
    copy(p, sheet.rows, left);
    left += p.columns;
  }
  sheet = std::move(larger);
}

std::vector<workbook::plot> plots_of(const std::string& lesson) {
  const viewer::run_state report = report_of(lesson);
  EXPECT_EQ(report.stage, viewer::run_stage::finished) << report.message;
  std::vector<workbook::plot> plots;
  for (const auto& item : report.items)
    if (const auto* plot = std::get_if<workbook::plot>(item.get()); plot != nullptr && !workbook::only_nan(*plot))
      plots.push_back(*plot);
  return plots;
}

// Rounding errors, and how a network learns because of them, differ from processor to processor, and the effects of a
// race from run to run.
bool depends_on_the_run(const workbook::plot& plot) {
  std::string label;
  if (const auto* lines = std::get_if<workbook::xy_plot>(&plot)) label = lines->y.label;
  if (const auto* map = std::get_if<workbook::heat_map>(&plot)) label = map->value.label;
  const auto counts = [&](const char* unit) { return label.find(unit) != std::string::npos; };
  return counts("error") || counts("wrong") || counts("entropy") || counts("belief");
}

// A quarter of their size, the lesson's plots stand one below the other in the picture that they are compared with.
// Left out are those that look different in another run, because they show times, and errors and races.
TEST_P(lesson_plots, look_as_they_did_and_as_in_their_files) {
  const std::vector<workbook::plot> plots = plots_of(GetParam()), shown_again = plots_of(GetParam());
  ASSERT_EQ(plots.size(), shown_again.size());
  viewer::pixels sheet;
  for (std::size_t k = 0; k < plots.size(); ++k) {
    std::vector<viewer::pixels> row;
    const viewer::pixels first = in_the_window(plots[k], looks[0]);
    if (first.values != in_the_window(shown_again[k], looks[0]).values) continue;
    for (const look& l : looks) {
      const viewer::pixels window = row.empty() ? first : in_the_window(plots[k], l);
      const bool dark = l.brightness == viewer::brightness::dark;
      if (dark == ((l.scale == 2) == (k % 2 == 0))) expect_as_in_its_file(plots[k], window, dark, l.scale);
      row.push_back(shrunk(window, 4 * l.scale));
    }
    if (!depends_on_the_run(plots[k])) place(sheet, row);
  }
  const std::string name = "lessons/" + GetParam();
  if (sheet.rows == 0)
    EXPECT_FALSE(std::filesystem::exists(PICTURES "/" + name + ".png")) << "a plot has become another in each run";
  else
    viewer_test::expect_looks_like([&] { return sheet; }, name, 1);
}

TEST_F(picture_test, tells_apart_pictures_that_lack_a_series_or_show_another) {
  const auto wave = [](double shift) {
    std::vector<double> y;
    for (int k = 0; k < 200; ++k) y.push_back(std::sin(0.05 * k + shift));
    return y;
  };
  const auto picture_of = [](std::vector<workbook::series> series) {
    workbook::xy_plot plot{.title = "Waves", .y = {.min = -1, .max = 1}, .series = std::move(series)};
    plots p({plot}, {700, 400});
    p.settle();
    return p.on.picture();
  };
  const workbook::series first{.name = "one", .y = wave(0)}, two{.name = "two", .y = wave(1)};
  const viewer::pixels both_pictures = picture_of({first, two});
  EXPECT_EQ(apart(both_pictures, picture_of({first, two}), 8), 0);
  EXPECT_GT(apart(both_pictures, picture_of({first}), 8), 0.1);
  EXPECT_GT(apart(picture_of({first}), picture_of({{.name = "one", .y = wave(0.5)}}), 8), 0.1);
}

TEST_F(picture_test, takes_bars_shorter_than_a_point_for_what_they_are_in_the_file) {
  for (double longest : {1.0, 100.0, 300.0, 500.0, 700.0, 1000.0, 3000.0}) {
    workbook::bar_plot plot{.title = "Times", .value = {.label = "time", .unit = "ns", .min = 0}};
    std::vector<double> times;
    for (int k = 0; k < 15; ++k) {
      plot.categories.push_back(std::to_string(k));
      times.push_back(k == 7 ? longest : 1 + 0.01 * k);
    }
    plot.groups = {{.name = "time", .values = times}};
    const workbook::picture_size size = plot.size();
    for (int scale : {1, 2}) {
      plots p({plot},
              {std::round(static_cast<float>(scale * size.width)), std::round(static_cast<float>(scale * size.height))},
              viewer::brightness::dark, static_cast<float>(scale));
      p.settle();
      expect_as_in_its_file(plot, p.on.picture(), true, scale);
    }
  }
}

std::vector<std::string> drawn_lessons() {
#ifdef __SANITIZE_ADDRESS__  // which draws slowly: lines, bars and a heat map
  return {"06_gaussian_pdf", "21_grids_2d"};
#else
  return lesson_names();
#endif
}
INSTANTIATE_TEST_SUITE_P(, lesson_plots, testing::ValuesIn(drawn_lessons()), test_name);

}  // namespace lesson_plots_test
