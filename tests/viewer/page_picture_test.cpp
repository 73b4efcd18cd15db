// Whole pages as EGL draws them, beside pictures that were looked at.

#include <gtest/gtest.h>

#include <fstream>

#include "runtime/core/error.h"
#include "tests/viewer/compared_picture.h"
#include "tests/viewer/driven_viewer.h"
#include "viewer/pages/all_pages.h"
#include "viewer/pages/machine_page.h"

namespace {

using viewer::brightness;
using viewer_test::driven_viewer;
using viewer_test::expect_looks_like;

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
    const auto doctor = folder_.path() / "gridstride";
    std::ofstream(doctor) << R"(#!/bin/bash
echo '{"compiler": {"version": "12.2.0"}, "cmake": "3.25.1", "ninja": "1.11.1", "nvcc": null, "memory": 17179869184,
"build_jobs": 8, "gpus": [], "processor": {"name": "Abacus 9000", "architecture": "x86_64", "cores": 8,
"vector_unit": "AVX2", "vector_bits": 256, "caches": {"L1d": 32768, "L2": 1048576, "L3": 16777216}}, "packages": [
{"name": "g++", "group": "core", "installed": true, "why": "compiles the lessons", "cost": "nothing can be built"},
{"name": "xdotool", "group": "test", "installed": false, "why": "presses keys", "cost": "the window is not tested"}],
"costs": ["no NVIDIA GPU answers: kernels run on the engine", "package xdotool is missing: the window is not tested"]}')";
    std::filesystem::permissions(doctor, std::filesystem::perms::owner_all);
  }

  driven_viewer open(ImVec2 size, brightness b, float scale) {
    std::vector<std::unique_ptr<viewer::page>> pages;
    pages.push_back(std::make_unique<viewer::machine_page>());
    return {
        std::move(pages),     {.root = folder_.path(), .build = {}, .my = {}}, size, {.brightness = b, .scale = scale},
        viewer::find_fonts(), std::make_unique<viewer::offscreen>(size)};
  }
  static viewer::pixels picture(driven_viewer& viewer) {
    return static_cast<viewer::offscreen&>(*viewer.surface).picture();
  }

  gridstride_test::temporary_folder folder_;
};

TEST_F(viewer_page_picture, machine_in_both_themes_and_two_scales) {
  for (const auto b : {brightness::light, brightness::dark})
    for (const float scale : {1.0f, 2.0f}) {
      auto viewer = open({960 * scale, 540 * scale}, b, scale);
      ASSERT_TRUE(viewer.until([&] { return !viewer.application.shown().busy(); }));
      viewer.frame(3);
      expect_looks_like(picture(viewer), std::string("machine-") + (b == brightness::light ? "light" : "dark") +
                                             (scale == 1 ? "-1" : "-2"));
    }
}

TEST_F(viewer_page_picture, machine_in_a_small_window) {
  auto viewer = open({360, 480}, brightness::light, 1);
  ASSERT_TRUE(viewer.until([&] { return !viewer.application.shown().busy(); }));
  viewer.frame(3);
  expect_looks_like(picture(viewer), "machine-small");
}

TEST_F(viewer_page_picture, help) {
  auto viewer = open({960, 640}, brightness::light, 1);
  ASSERT_TRUE(viewer.until([&] { return !viewer.application.shown().busy(); }));
  viewer.type("?");
  viewer.frame(3);
  expect_looks_like(picture(viewer), "help");
}

}  // namespace
