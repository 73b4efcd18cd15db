// Whole pages as EGL draws them, beside pictures that were looked at.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "assessments/grader/verdict/verdict_json.h"
#include "runtime/core/error.h"
#include "tests/assessments/verdict/sample_verdict.h"
#include "tests/viewer/bench_document.h"
#include "tests/viewer/compared_picture.h"
#include "tests/viewer/driven_viewer.h"
#include "viewer/pages/assessments_page.h"
#include "viewer/pages/course_page.h"
#include "viewer/pages/instruments_page.h"
#include "viewer/pages/machine_page.h"
#include "viewer/pages/timings_page.h"

namespace {

using viewer::brightness;
using viewer_test::driven_viewer;

class viewer_page_picture : public testing::Test {
 protected:
  void SetUp() override {
    const auto fonts = viewer::find_fonts();
    if (fonts.text.empty() || fonts.code.empty()) GTEST_SKIP() << "Inter or JetBrains Mono isn't installed";
    try {
      const viewer::offscreen tried({8, 8});
    } catch (const gs::machine_error& e) {
      GTEST_SKIP() << e.what();
    }
    program(
        "gridstride",
        R"(echo '{"compiler": {"version": "12.2.0"}, "cmake": "3.25.1", "ninja": "1.11.1", "nvcc": null, "memory": 17179869184,
"build_jobs": 8, "gpus": [], "processor": {"name": "Abacus 9000", "architecture": "x86_64", "cores": 8,
"vector_unit": "AVX2", "vector_bits": 256, "caches": {"L1d": 32768, "L2": 1048576, "L3": 16777216}}, "packages": [
{"name": "g++", "group": "core", "installed": true, "why": "compiles the lessons", "cost": "nothing can be built"},
{"name": "xdotool", "group": "test", "installed": false, "why": "presses keys", "cost": "the window is not tested"}],
"costs": ["no NVIDIA GPU answers: kernels run on the engine", "package xdotool is missing: the window is not tested"]}')");
    std::filesystem::current_path(folder_.path());  // so that no picture shows where that is
  }
  void TearDown() override { std::filesystem::current_path(started_in_); }

  void write(const std::string& file, const std::string& text) {
    std::filesystem::create_directories((folder_.path() / file).parent_path());
    std::ofstream(folder_.path() / file) << text;
  }
  void program(const std::string& file, const std::string& script) {
    write(file, "#!/bin/bash\n" + script + "\n");
    std::filesystem::permissions(folder_.path() / file, std::filesystem::perms::owner_all);
  }

  template <class Page = viewer::machine_page>
  driven_viewer open(ImVec2 size, brightness b, float scale) {
    std::vector<std::unique_ptr<viewer::page>> pages;
    pages.push_back(std::make_unique<Page>());
    return {std::move(pages),     {.root = ".", .build = "build", .my = "my"}, size, {.brightness = b, .scale = scale},
            viewer::find_fonts(), std::make_unique<viewer::offscreen>(size)};
  }
  static bool settles(driven_viewer& viewer) {
    const bool settled = viewer.until([&] { return !viewer.application.shown().busy(); });
    viewer.frame(4);
    return settled;
  }
  static void expect_looks_like(driven_viewer& viewer, const std::string& name) {
    viewer_test::expect_looks_like(
        [&] {
          viewer.frame();
          return static_cast<viewer::offscreen&>(*viewer.surface).picture();
        },
        name);
  }

  gridstride_test::temporary_folder folder_;
  const std::filesystem::path started_in_ = std::filesystem::current_path();
};

TEST_F(viewer_page_picture, machine_in_both_themes_and_two_scales) {
  for (const auto b : {brightness::light, brightness::dark})
    for (const float scale : {1.0f, 2.0f}) {
      auto viewer = open({960 * scale, 540 * scale}, b, scale);
      ASSERT_TRUE(viewer.until([&] { return !viewer.application.shown().busy(); }));
      viewer.frame(3);
      expect_looks_like(
          viewer, std::string("machine-") + (b == brightness::light ? "light" : "dark") + (scale == 1 ? "-1" : "-2"));
    }
}

TEST_F(viewer_page_picture, machine_in_a_small_window) {
  auto viewer = open({360, 480}, brightness::light, 1);
  ASSERT_TRUE(viewer.until([&] { return !viewer.application.shown().busy(); }));
  viewer.frame(3);
  expect_looks_like(viewer, "machine-small");
}

TEST_F(viewer_page_picture, help) {
  auto viewer = open({960, 640}, brightness::light, 1);
  ASSERT_TRUE(viewer.until([&] { return !viewer.application.shown().busy(); }));
  viewer.type("?");
  viewer.frame(3);
  expect_looks_like(viewer, "help");
}

TEST_F(viewer_page_picture, course_with_a_lesson_that_has_run) {
  write(
      "lessons/90_toy/README.md",
      "# A toy\n\nWhat it is **about**, in `code` and as a table.\n\n| a | b |\n| --- | --- |\n| 1 | µ ± Δ ≤ → ✓ |\n\n"
      "```cpp\nconst int two = 2;  // a comment\n```\n\n- one\n- two\n");
  write("lessons/90_toy/lesson.cpp", "// The toy's program.\nint main() {}\n");
  std::filesystem::copy(std::filesystem::path(COURSE_ROOT) / "course.json", folder_.path());
  for (const char* name : {"01_hypot", "04_ufunc", "13_first_kernel", "18_histogram", "26_diffusion"})
    write(std::string("lessons/") + name + "/lesson.cpp", "\n");
  std::filesystem::create_directories("build/lessons");
  std::filesystem::create_symlink(TOY_LESSON, "build/lessons/90_toy");
  std::filesystem::create_symlink(TOY_LESSON_MODULE, "build/lessons/90_toy.so");
  program("bin/cmake", "exit 0");
  const std::string path = std::getenv("PATH");
  setenv("PATH", ((folder_.path() / "bin").string() + ":" + path).c_str(), 1);
  auto viewer = open<viewer::course_page>({1100, 700}, brightness::light, 1);
  viewer.application.open("Course", "90_toy");
  EXPECT_TRUE(viewer.until_sees("A heading") && settles(viewer));
  setenv("PATH", path.c_str(), 1);
  expect_looks_like(viewer, "course");
}

TEST_F(viewer_page_picture, instruments_with_findings) {
  write("lessons/90_toy/lesson.cpp", "line one\nline two\nline three\nline four\n");
  program("gridstride", "shift 2; TOY_FINDINGS=1 TOY_SOURCE=lesson.cpp exec '" INSPECTED_TOY "' --inspect \"$@\"");
  auto viewer = open<viewer::instruments_page>({1100, 700}, brightness::dark, 1);
  viewer.application.open("Instruments", "90");
  ASSERT_TRUE(settles(viewer));
  expect_looks_like(viewer, "instruments");
  viewer.click("Accesses");
  expect_looks_like(viewer, "accesses");
}

TEST_F(viewer_page_picture, timings_beside_a_baseline) {
  write("bench/results/a.json", viewer_test::bench_document("2026-03-01T10:00", 50));
  write("bench/results/b.json", viewer_test::bench_document("2026-03-02T10:00", 25));
  auto viewer = open<viewer::timings_page>({1100, 900}, brightness::light, 1);
  ASSERT_TRUE(settles(viewer));
  expect_looks_like(viewer, "roofline");
  viewer.application.open("Timings", "sum_of_two");
  viewer.frame(3);
  viewer.click("none");
  viewer.click("2026-03-01 10:00  abc123");
  viewer.surface->mouse = {-1, -1};
  ASSERT_TRUE(settles(viewer));
  expect_looks_like(viewer, "timings");
}

TEST_F(viewer_page_picture, assessments_with_a_verdict) {
  write("verdict.json", grader::to_json(sample_verdict()));
  write("my/histogram.cpp", "");
  program("gridstride", "cat verdict.json; exit 1");
  auto viewer = open<viewer::assessments_page>({1100, 900}, brightness::dark, 1);
  viewer.application.open("Assessments", "A2 my/histogram.cpp");
  ASSERT_TRUE(settles(viewer));
  ASSERT_TRUE(viewer.sees("every count exact"));
  expect_looks_like(viewer, "assessments");
}

}  // namespace
