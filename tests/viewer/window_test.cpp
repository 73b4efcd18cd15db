// A real window on a display of its own, operated by keys.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "tests/viewer/driven_viewer.h"
#include "viewer/child_process.h"
#include "viewer/settings.h"

namespace {

using gridstride_test::temporary_folder;
using viewer::child_process;

bool is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + '/' + program).c_str(), X_OK) == 0) return true;
  return false;
}

template <class Condition>
bool within_half_a_minute(Condition condition) {
  for (int k = 0; k < 600; ++k) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}

// The display's picture is a file in xwd's format: a header of 32-bit numbers, most significant byte first, a colour
// map, then rows of 32-bit pixels.
struct screen {
  explicit screen(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    bytes = text.str();
  }
  unsigned header(std::size_t k) const {
    unsigned value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes.at(4 * k + i));
    return value;
  }
  // 0xRRGGBB
  unsigned pixel(std::size_t x, std::size_t y) const {
    const std::size_t begin = header(0) + 12 * header(19) + y * header(12) + 4 * x;
    unsigned value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes.at(begin + i));
    return value & 0xffffff;
  }
  std::string bytes;
};

TEST(viewer_window, opens_obeys_keys_and_closes) {
  for (const char* program : {"Xvfb", "xdotool"})
    if (!is_installed(program)) GTEST_SKIP() << program << " isn't installed";
  const temporary_folder folder;
  child_process display({"Xvfb", "-displayfd", "1", "-screen", "0", "1400x900x24", "-fbdir", folder.path()}, [] {});
  const auto number = [&] { return display.output().substr(0, display.output().find('\n')); };
  ASSERT_TRUE(within_half_a_minute([&] { return display.ended() || display.output().ends_with('\n'); }));
  if (display.ended()) GTEST_SKIP() << "Xvfb doesn't run here: " << display.errors();
  const std::string on = "DISPLAY=:" + number();
  const auto keys = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"env", on, "xdotool"});
    const child_process tool(words, [] {});
    return within_half_a_minute([&] { return tool.ended(); }) ? tool.status() : -1;
  };

  // The driver for X forgets memory when it is unloaded, which is no leak of ours.
  child_process program({"env", on, "ASAN_OPTIONS=detect_leaks=0", "GRIDSTRIDE_CONFIG=" + folder.path().string(),
                         VIEWER, "--page", "Machine"},
                        [] {});
  const bool opened = within_half_a_minute(
      [&] { return program.ended() || keys({"search", "--onlyvisible", "--name", "^Gridstride$"}) == 0; });
  ASSERT_TRUE(opened);
  if (program.status() == 3) GTEST_SKIP() << program.errors();
  ASSERT_FALSE(program.ended()) << program.errors();
  ASSERT_EQ(keys({"search", "--name", "^Gridstride$", "windowfocus", "--sync"}), 0);
  const auto paper = [&] { return screen(folder.path() / "Xvfb_screen0").pixel(600, 705); };
  EXPECT_TRUE(within_half_a_minute([&] { return paper() == 0xf6f6f4; })) << std::hex << paper();
  EXPECT_EQ(keys({"key", "ctrl+t"}), 0);
  EXPECT_TRUE(within_half_a_minute([&] { return paper() == 0x15171a; })) << std::hex << paper();
  EXPECT_EQ(keys({"key", "ctrl+1"}), 0);
  const auto remembered = [&](const char* name) { return viewer::settings(folder.path() / "viewer.txt").text(name); };
  EXPECT_TRUE(within_half_a_minute([&] { return remembered("theme") == "dark" && remembered("page") != "Machine"; }));
  EXPECT_EQ(keys({"key", "ctrl+q"}), 0);
  EXPECT_TRUE(within_half_a_minute([&] { return program.ended(); }));
  EXPECT_EQ(program.status(), 0) << program.errors();
  EXPECT_EQ(remembered("window_width"), "1280");
}

}  // namespace
