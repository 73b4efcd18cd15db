// How far an inspection is: the estimate, and the sentence for long ones.

#include "workbook/terminal/inspection_progress.h"

#include <gtest/gtest.h>

namespace {

using workbook::expected_launch_seconds;

TEST(inspection_progress, expects_what_the_blocks_so_far_took) {
  EXPECT_EQ(expected_launch_seconds({.launch_seconds = 2, .blocks_done = 5, .blocks = 100}), 40);
  EXPECT_EQ(expected_launch_seconds({.launch_seconds = 2, .blocks_done = 100, .blocks = 100}), 2);
  EXPECT_FALSE(expected_launch_seconds({.launch_seconds = 2, .blocks_done = 0, .blocks = 100}));
  EXPECT_FALSE(expected_launch_seconds({.launch_seconds = 0.9, .blocks_done = 5, .blocks = 100}));
  EXPECT_FALSE(expected_launch_seconds({}));
}

std::string printed(const std::vector<gs::inspect_progress>& states, double lesson = -1) {
  testing::internal::CaptureStderr();
  {
    workbook::progress_bar bar("06_gaussian_pdf", {});
    workbook::inspection_progress progress(bar, "06_gaussian_pdf");
    if (lesson >= 0) progress.lesson(lesson, "accuracy");
    for (const auto& state : states) progress.instruments(state);
  }
  return testing::internal::GetCapturedStderr();
}

TEST(inspection_progress, speaks_up_once_if_it_takes_over_a_minute) {
  const gs::inspect_progress quick{
      .seconds = 4, .accesses = 40'000'000, .kernel = "add", .launch_seconds = 3, .blocks_done = 6, .blocks = 120};
  EXPECT_EQ(printed({quick, quick}),
            "06_gaussian_pdf: inspecting add will take about 1min, at 10.0 million accesses a "
            "second; smaller parameters (see --help) show the same lines sooner.\n");
  gs::inspect_progress short_one = quick;
  short_one.blocks_done = 7;
  EXPECT_EQ(printed({short_one, short_one}), "");
  EXPECT_EQ(printed({{}}), "");
  // The lesson's own share tells of the whole run.
  EXPECT_EQ(printed({short_one}, 0.04),
            "06_gaussian_pdf: inspecting it will take about 1min 40s, at 10.0 million "
            "accesses a second; smaller parameters (see --help) show the same lines sooner.\n");
  EXPECT_EQ(printed({short_one}, 0.5), "");
}

TEST(inspection_progress, asks_about_a_block_that_does_not_end) {
  gs::inspect_progress stuck{
      .seconds = 25, .accesses = 300'000'000, .kernel = "spin", .launch_seconds = 21, .blocks_done = 0, .blocks = 8};
  EXPECT_EQ(printed({stuck, stuck}),
            "06_gaussian_pdf: the first block of spin has not ended after 21 s and 300 million accesses; does every "
            "loop in it end?\n");
  stuck.launch_seconds = 19;
  EXPECT_EQ(printed({stuck}), "");
  EXPECT_EQ(printed({{.seconds = 25, .launch_seconds = 50'000}}), "") << "nothing has been launched";
}

}  // namespace
