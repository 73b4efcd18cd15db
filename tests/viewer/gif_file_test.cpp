// Animations that are written, read again by giflib.

#include "viewer/plot/gif_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/runtime/refused.h"
#include "tests/temporary_folder.h"
#include "tests/viewer/read_gif.h"

namespace {

using gridstride_test::temporary_folder;
using runtime_test::refused;
using viewer::gif_file;
using viewer_test::read_gif;
using workbook::colour;

const std::vector<colour> black_red_white{{0, 0, 0}, {255, 0, 0}, {255, 255, 255}};

TEST(gif_file, has_frames_of_the_nearest_colours) {
  const temporary_folder folder;
  const auto file = folder.path() / "a.gif";
  gif_file gif(file, 3, 2, black_red_white, 0.1);
  gif.add(std::vector<std::uint32_t>{0xff000000, 0xffff0000, 0xffffffff, 0xff100808, 0xffe01010, 0xfff0f0e0});
  gif.add(std::vector<std::uint32_t>(6, 0xffff0000));
  gif.close();
  gif.close();  // and once more does no harm
  const read_gif read(file);
  EXPECT_EQ(read.columns, 3);
  EXPECT_EQ(read.rows, 2);
  ASSERT_EQ(read.frames, 2);
  ASSERT_EQ(read.palette.size(), 4u) << "a power of two";
  EXPECT_EQ(read.palette[1], (colour{255, 0, 0}));
  EXPECT_EQ(read.pictures[0], (std::vector<unsigned char>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(read.pictures[1], std::vector<unsigned char>(6, 1));
  EXPECT_EQ(read.delays, (std::vector<int>{10, 10}));
  std::ifstream in(file, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  EXPECT_TRUE(bytes.starts_with("GIF89a"));
  EXPECT_NE(bytes.find("NETSCAPE2.0"), bytes.npos) << "it is played again and again";
}

TEST(gif_file, shows_no_frame_shorter_than_browsers_do) {
  const temporary_folder folder;
  gif_file gif(folder.path() / "a.gif", 1, 1, black_red_white, 0.001);
  gif.add(std::vector<std::uint32_t>{0xff000000});
  gif.close();
  EXPECT_EQ(read_gif(folder.path() / "a.gif").delays, std::vector<int>{2});
}

TEST(gif_file, refuses_what_it_cannot_write) {
  const temporary_folder folder;
  const auto file = folder.path() / "a.gif";
  EXPECT_TRUE(refused([&] { gif_file(folder.path() / "none/a.gif", 1, 1, black_red_white, 0.1); },
                      {"writing the animation ", "none/a.gif", "check that the folder can be written to"}));
  EXPECT_TRUE(refused([&] { gif_file(file, 1, 1, {{0, 0, 0}}, 0.1); }, {"its palette has 1 colours", "give 2 to 256"}));
  EXPECT_TRUE(refused([&] { gif_file(file, 1, 1, std::vector<colour>(257), 0.1); }, {"its palette has 257 colours"}));
  gif_file gif(file, 2, 2, black_red_white, 0.1);
  EXPECT_TRUE(refused([&] { gif.add(std::vector<std::uint32_t>(3)); },
                      {"adding a frame to ", "it has 3 pixels", "give 2 x 2"}));
}

}  // namespace
