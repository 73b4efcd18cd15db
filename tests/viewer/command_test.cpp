// The program gridstride-view without a window: its pictures and its refusals.

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "tests/viewer/compared_picture.h"
#include "tests/viewer/driven_viewer.h"
#include "viewer/child_process.h"
#include "viewer/window/offscreen.h"

namespace {

using gridstride_test::temporary_folder;
using viewer_test::read_png;

struct outcome {
  int status;
  std::string out, err;
};

// Runs the viewer with variables ("NAME=VALUE") and options.
outcome view(std::vector<std::string> variables, const std::vector<std::string>& options) {
  std::vector<std::string> words{"env", "-u", "DISPLAY", "-u", "WAYLAND_DISPLAY"};
  words.insert(words.end(), variables.begin(), variables.end());
  words.emplace_back(VIEWER);
  words.insert(words.end(), options.begin(), options.end());
  const viewer::child_process program(words, [] {});
  while (!program.ended()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return {program.status(), program.output(), program.errors()};
}

std::string content(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// A course's folder with a stand-in for doctor that always prints the same.
class viewer_command : public testing::Test {
 protected:
  viewer_command() {
    const auto doctor = folder_.path() / "gridstride";
    std::ofstream(doctor) << R"(#!/bin/bash
echo '{"compiler": {"version": "1"}, "cmake": "2", "ninja": "3", "nvcc": null, "memory": 1, "build_jobs": 1, "gpus": [],
"processor": {"name": "P", "architecture": "A", "cores": 1, "vector_unit": "V", "vector_bits": 8,
"caches": {"L1d": 1, "L2": 1, "L3": 1}}, "packages": [], "costs": ["one thing"]}')";
    std::filesystem::permissions(doctor, std::filesystem::perms::owner_all);
    std::filesystem::create_directory_symlink(lessons(), folder_.path() / "lessons");
  }
  void SetUp() override {
    try {
      const viewer::offscreen tried({16, 16});
    } catch (const std::exception& e) {
      GTEST_SKIP() << e.what();
    }
  }
  static std::filesystem::path lessons() {
    return std::filesystem::path(__FILE__).parent_path().parent_path().parent_path() / "lessons";
  }
  std::vector<std::string> variables() const {
    return {"GRIDSTRIDE_ROOT=" + folder_.path().string(), "GRIDSTRIDE_CONFIG=" + (folder_.path() / "config").string()};
  }
  viewer::pixels picture(const std::string& name, std::vector<std::string> options) {
    const auto file = folder_.path() / name;
    options.insert(options.end(), {"--render", file.string()});
    const auto [status, out, err] = view(variables(), options);
    EXPECT_EQ(status, 0) << err;
    EXPECT_EQ(out + err, "");
    return read_png(file);
  }
  temporary_folder folder_;
};

std::size_t colours_in(const viewer::pixels& p) { return std::set(p.values.begin(), p.values.end()).size(); }

TEST_F(viewer_command, draws_the_same_bytes_twice) {
  for (const std::string page : {"Machine", "Simulation"})
    for (const std::string theme : {"light", "dark"}) {
      std::vector<std::string> options{"--page", page, "--theme", theme, "--size", "900x500"};
      if (page == "Simulation") options.insert(options.end(), {"26", "--set", "size=64"});
      const auto p = picture("first.png", options);
      picture("second.png", options);
      EXPECT_EQ(content(folder_.path() / "first.png"), content(folder_.path() / "second.png")) << page << ", " << theme;
      EXPECT_EQ(p.columns, 900);
      EXPECT_EQ(p.rows, 500);
      EXPECT_GT(colours_in(p), 50u) << "letters and lines are drawn";
      EXPECT_EQ(p.values.back() >> 16 & 0xff, theme == "light" ? 0xf6u : 0x15u) << "the paper";
    }
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "config")) << "a picture remembers nothing";
}

TEST_F(viewer_command, frames_go_on_and_scale_enlarges) {
  const std::vector<std::string> options{"26", "--page", "simulation", "--set", "size=64", "--size", "900x600"};
  auto later_options = options, larger = options;
  later_options.insert(later_options.end(), {"--frames", "3"});
  larger.insert(larger.end(), {"--scale", "2"});
  const auto begin = picture("begin.png", options).values;
  EXPECT_NE(picture("later.png", later_options).values, begin);
  EXPECT_NE(picture("larger.png", larger).values, begin);
}

TEST_F(viewer_command, draws_at_the_smallest_and_the_largest_size) {
  for (const std::string size : {"1x1", "200x150", "5120x2880"}) {
    const auto p = picture("p.png", {"--page", "Machine", "--size", size});
    EXPECT_EQ(std::to_string(p.columns) + "x" + std::to_string(p.rows), size);
  }
}

TEST_F(viewer_command, refuses_what_it_cannot_do) {
  const auto refused = [&](std::vector<std::string> options, int status, const std::string& sentence) {
    const auto [exit_status, out, err] = view(variables(), options);
    EXPECT_EQ(exit_status, status) << sentence;
    EXPECT_TRUE(err.starts_with("gridstride-view: ")) << err;
    EXPECT_NE(err.find(sentence), std::string::npos) << err;
    EXPECT_EQ(err.find('\033'), std::string::npos) << "what was typed doesn't reach the terminal's commands";
    EXPECT_EQ(out, "");
  };
  const std::string file = (folder_.path() / "p.png").string();
  refused({"--page", "Nowhere", "--render", file}, 2, "there is no such page; choose one of ");
  refused({"--page", "Nowhere", "--render", file}, 2, "Course, Simulation");
  refused({"--page", "No\033[2Jwhere", "--render", file}, 2, "there is no such page");
  refused({"77", "--render", file}, 2, "26_diffusion");
  refused({"--size", "12", "--render", file}, 2, "--size 12: that is no size; give columns x rows in pixels");
  for (const char* size : {"0x5", "5x-1", "99999x5", "5x5x", ""})
    refused({"--size", size, "--render", file}, 2, "no size");
  refused({"--render", "/not/there/p.png"}, 2, "--render /not/there/p.png: the file can't be written");
  refused({"--theme", "pink"}, 2, "--theme");
  refused({"--scale", "0"}, 2, "--scale");
  refused({"--fly"}, 2, "--help");
  refused({"--ranks", "0", "26"}, 2, "--ranks");
  refused({"--ranks", "2", "--render", file}, 2,
          "--ranks: no lesson is named that runs as ranks; name one: ./gridstride view 41 --ranks 4");
  refused({}, 3, "draw without a window: ./gridstride view --render FILE.png");
  EXPECT_EQ(view({}, {"--help"}).status, 0);
}

TEST_F(viewer_command, ends_with_a_sentence_where_the_system_refuses) {
  auto too_long = variables();
  too_long.push_back("GRIDSTRIDE_COURSE=/" + std::string(5000, 'x'));
  const auto [status, out, err] = view(too_long, {"26", "--render", (folder_.path() / "p.png").string()});
  EXPECT_EQ(status, 3) << err;
  EXPECT_TRUE(err.starts_with("gridstride-view: ")) << err;
  EXPECT_NE(err.find("name too long"), std::string::npos) << err;
}

TEST_F(viewer_command, without_opengl_says_so) {
  auto with_old_opengl = variables();
  with_old_opengl.emplace_back("MESA_GL_VERSION_OVERRIDE=2.1");
  const auto [status, out, err] =
      view(with_old_opengl, {"--page", "Machine", "--render", (folder_.path() / "p.png").string()});
  EXPECT_EQ(status, 3) << err;
  EXPECT_NE(err.find("OpenGL"), std::string::npos) << err;
}

}  // namespace
