// A report as the course's pages show it.

#include "viewer/course/report_view.h"

#include <gtest/gtest.h>

#include "tests/viewer/driven_viewer.h"

namespace {

class report_page final : public viewer::page {
 public:
  explicit report_page(viewer::report_view::items entries) : entries_(std::move(entries)) {}
  std::string_view title() const override { return "Report"; }
  void draw(viewer::context& c) override { view_.draw(entries_, c.look); }

 private:
  viewer::report_view::items entries_;
  viewer::report_view view_;
};

viewer_test::driven_viewer report_of(workbook::item shown, ImVec2 size) {
  std::vector<std::unique_ptr<viewer::page>> pages;
  pages.push_back(std::make_unique<report_page>(
      viewer::report_view::items{std::make_shared<const workbook::item>(std::move(shown))}));
  return {std::move(pages), {.root = {}, .build = {}, .my = {}}, size};
}

TEST(viewer_report, gives_a_timeline_of_one_row_its_legend_and_its_axis_in_any_window) {
  for (const ImVec2 size : {ImVec2(560, 700), ImVec2(900, 600), ImVec2(1600, 1000)}) {
    const auto viewer = report_of(
        workbook::plot(workbook::timeline{
            .title = "One stream",
            .time = {.label = "time", .unit = "ms", .min = 0, .max = 3},
            .rows = {"stream 0"},
            .groups = {"copy", "kernel"},
            .bars = {{.row = 0, .group = 0, .start = 0, .stop = 1}, {.row = 0, .group = 1, .start = 1, .stop = 3}}}),
        size);
    for (const char* text : {"One stream", "copy", "kernel", "stream 0", "time [ms]"})
      EXPECT_TRUE(viewer.sees(text)) << text << " in a window " << size.x << " pixels wide";
  }
}

TEST(viewer_report, breaks_the_headings_of_a_wide_table_no_more_than_it_must) {
  workbook::table limits{.title = "Limits", .columns = {"alpha a block", "gamma a delta", "limit"}, .rows = {}};
  limits.row(1, 2, "a text that takes most of the window, so that headings must be broken");
  const auto viewer = report_of(limits, {900, 600});
  const auto first = viewer.find("alpha"), last = viewer.find("block"), other = viewer.find("gamma"),
             end = viewer.find("delta");
  ASSERT_TRUE(first && last && other && end);
  const float line = 1.5f * ImGui::GetFontSize();
  EXPECT_LT(last->y - first->y, line) << "two lines at most";
  EXPECT_LT(end->y - other->y, line);
}

}  // namespace
