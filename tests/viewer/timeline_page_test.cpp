// The page Timeline, with a launcher whose answers the test chooses, and with a lesson's own program.

#include "viewer/pages/timeline_page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "tests/viewer/driven_viewer.h"
#include "viewer/pages/all_pages.h"

namespace {

namespace fs = std::filesystem;
using gridstride_test::temporary_folder;
using viewer_test::driven_viewer;
using enum gs::timeline_kind;

workbook::run_timeline sample() {
  return {.program = "90_toy",
          .title = "A toy",
          .device = "toy device",
          .entries = {{copy_to_device, "copy to the device", 0, 0, 0.001, 4'000'000},
                      {launch, "saxpy", 0, 0.001, 0.004, 0},
                      {launch, "saxpy", 1, 0.002, 0.007, 0},
                      {wait, "wait", 1, 0.007, 0.0075, 0}}};
}

class viewer_timeline_page : public testing::Test {
 protected:
  viewer_timeline_page() { write("lessons/90_toy/lesson.cpp", "int main() {}\n"); }
  void write(const std::string& file, const std::string& text) {
    fs::create_directories((folder_.path() / file).parent_path());
    std::ofstream(folder_.path() / file) << text;
  }
  void launcher(const std::string& script) {
    write("gridstride", "#!/bin/bash\n" + script + "\n");
    fs::permissions(folder_.path() / "gridstride", fs::perms::owner_all);
  }
  driven_viewer open(ImVec2 size = {1280, 900}) {
    std::vector<std::unique_ptr<viewer::page>> pages;
    pages.push_back(std::make_unique<viewer::timeline_page>());
    return {std::move(pages),
            {.root = folder_.path(), .build = folder_.path() / "build", .my = folder_.path() / "my"},
            size};
  }
  static bool settles(driven_viewer& viewer) {
    const bool settled = viewer.until([&] { return !viewer.application.shown().busy(); });
    viewer.frame(4);
    return settled;
  }
  temporary_folder folder_;
};

TEST_F(viewer_timeline_page, says_what_to_do_while_there_is_nothing) {
  auto viewer = open({900, 600});
  EXPECT_TRUE(viewer.sees("Choose a lesson and record it"));
  EXPECT_TRUE(viewer.sees("34 --timeline FILE"));
  viewer.click("choose one");
  viewer.click("90_toy");
  EXPECT_TRUE(viewer.sees("Record runs it and shows"));
}

TEST_F(viewer_timeline_page, runs_a_lesson_and_shows_what_it_did_and_when) {
  launcher(
      "[ \"$1 $2 $3 $4\" = 'run 90_toy --stream 3' ] || exit 2\n"
      "exec '" LESSON_PROGRAMS "/26_diffusion' --stream 3 \"${@:5}\"");
  for (const ImVec2 size : {ImVec2(900, 600), ImVec2(1600, 1000)}) {
    auto viewer = open(size);
    viewer.application.open("Timeline", "90 size=64 iterations=2");
    ASSERT_TRUE(settles(viewer));
    EXPECT_TRUE(viewer.sees("26_diffusion on "));
    for (const char* text : {"stream 0", "launch", "copy to the host", "What took the time", "together", "longest"})
      EXPECT_TRUE(viewer.sees(text)) << text << " in a window of " << size.x;
    EXPECT_TRUE(viewer.application.status().ends_with(" entries")) << viewer.application.status();
  }
}

TEST_F(viewer_timeline_page, opens_what_was_recorded_in_a_terminal) {
  write("run.json", to_json(sample()));
  auto viewer = open({900, 600});
  viewer.application.open("Timeline", (folder_.path() / "run.json").string());
  ASSERT_TRUE(settles(viewer));
  for (const char* text : {"90_toy on toy device", "stream 0", "stream 1", "saxpy", "wait", "4 MB", "4 GB/s"})
    EXPECT_TRUE(viewer.sees(text)) << text;
  EXPECT_EQ(viewer.application.status(), "4 entries");
  viewer.draw_at_extreme_sizes();
}

TEST_F(viewer_timeline_page, opens_the_file_whose_name_is_typed) {
  write("run.json", to_json(sample()));
  auto viewer = open();
  viewer.click("that --timeline has written");
  viewer.type((folder_.path() / "run.json").string());
  viewer.click("Open");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("90_toy on toy device"));
}

TEST_F(viewer_timeline_page, says_what_went_wrong) {
  auto viewer = open();
  viewer.application.open("Timeline", (folder_.path() / "none.json").string());
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("reading the timeline"));
  launcher("echo 'there is no compiler' >&2; exit 3");
  viewer.application.open("Timeline", "90");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("ended with status 3"));
  EXPECT_TRUE(viewer.sees("there is no compiler"));
  viewer.application.open("Timeline", "none");
  viewer.frame(2);
  EXPECT_NE(viewer.application.status().find("'none'"), std::string::npos);
  write("empty.json", to_json(workbook::run_timeline{.program = "90_toy"}));
  viewer.application.open("Timeline", (folder_.path() / "empty.json").string());
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("90_toy queued nothing on the device"));
}

TEST_F(viewer_timeline_page, begins_and_cancels_within_two_frames) {
  launcher("while :; do sleep 0.01; done");
  auto viewer = open();
  viewer.application.open("Timeline", "90");
  EXPECT_LE(viewer.frames_until([](auto&) {}, [&] { return viewer.sees("Cancel"); }), 2);
  viewer.click("Cancel");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("cancelled"));
  EXPECT_LE(viewer.frames_from_click("Record", [&] { return viewer.sees("Cancel"); }), 2);
}

TEST_F(viewer_timeline_page, leaves_no_file_behind) {
  launcher("for word; do case $last in --timeline) echo \"$word\" >'" + (folder_.path() / "named").string() +
           "'; echo '{}' >\"$word\";; esac; last=$word; done; exit 1");
  {
    auto viewer = open();
    viewer.application.open("Timeline", "90");
    ASSERT_TRUE(settles(viewer));
  }
  std::ifstream in(folder_.path() / "named");
  std::string recorded;
  ASSERT_TRUE(std::getline(in, recorded));
  EXPECT_FALSE(fs::exists(recorded)) << recorded;
}

TEST(viewer_timeline, times_are_summed_by_kind_and_kernel) {
  auto entries = sample().entries;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  entries.push_back({launch, "untimed", 0, nan, nan, 0});
  const workbook::table t = viewer::times_by_work(entries);
  ASSERT_EQ(t.rows.size(), 4u);
  const auto text = [&](std::size_t row, std::size_t column) { return to_text(t.rows[row][column]); };
  EXPECT_EQ(text(0, 0), "saxpy") << "the longest first";
  EXPECT_EQ(text(0, 1), "2");
  EXPECT_EQ(text(0, 2), "8 ms");
  EXPECT_EQ(text(0, 4), "5 ms");
  EXPECT_EQ(text(1, 0), "copy to the device");
  EXPECT_EQ(text(1, 6), "4 GB/s");
  EXPECT_EQ(text(2, 0), "wait");
  EXPECT_EQ(text(3, 2), "0 ns");
}

}  // namespace
