// Every plot of every lesson as the window draws it, beside the file of the same plot: in light and dark, at two
// scales.

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "driven_plot.h"
#include "runtime/core/error.h"
#include "tests/lessons/lesson_process.h"
#include "tests/viewer/compared_picture.h"
#include "viewer/course/lesson_run.h"
#include "workbook/picture/picture.h"

namespace {

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

class lesson_plots : public testing::TestWithParam<std::string> {
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

TEST_P(lesson_plots, look_in_the_window_as_in_their_files) {
  const viewer::run_state report = report_of(GetParam());
  ASSERT_EQ(report.stage, viewer::run_stage::finished) << report.message;
  const auto file = std::filesystem::temp_directory_path() / ("lesson-plot-" + std::to_string(getpid()) + ".png");
  for (const auto& item : report.items) {
    const auto* plot = std::get_if<workbook::plot>(item.get());
    if (plot == nullptr || workbook::only_nan(*plot)) continue;
    const workbook::picture_size size = size_of(*plot);
    for (const auto& [brightness, look] : {std::pair{viewer::brightness::light, workbook::light_look},
                                           std::pair{viewer::brightness::dark, workbook::dark_look}})
      for (const int scale : {1, 2}) {
        const ImVec2 pixels{static_cast<float>(scale * size.width), static_cast<float>(scale * size.height)};
        plots p({*plot}, pixels, brightness, static_cast<float>(scale));
        p.settle();
        write_png(*plot, file.string(), scale, look);
        const viewer::pixels window = p.on.picture(), drawn = viewer_test::read_png(file);
        ASSERT_EQ(window.columns, drawn.columns);
        ASSERT_EQ(window.rows, drawn.rows);
        EXPECT_LT(viewer_test::difference(window, drawn, 16), 2.5)
            << title_of(*plot) << ", " << (brightness == viewer::brightness::dark ? "dark" : "light") << ", scale "
            << scale;
      }
  }
  std::filesystem::remove(file);
}

INSTANTIATE_TEST_SUITE_P(, lesson_plots, testing::ValuesIn(lesson_names()), test_name);

}  // namespace
