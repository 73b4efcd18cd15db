#include "viewer/settings.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/viewer/driven_viewer.h"

namespace {

using gridstride_test::temporary_folder;

std::string text_in(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(viewer_settings, come_back_as_they_were) {
  const temporary_folder folder;
  const auto file = folder.path() / "not" / "yet" / "there" / "viewer.txt";
  {
    viewer::settings s(file);
    EXPECT_EQ(s.text("page", "Course"), "Course");
    EXPECT_EQ(s.number("zoom", 1.5), 1.5);
    s.set("page", "Machine");
    s.set("zoom", 1.1);
    s.set("words", "  two words = one value\nand no second line ");
    EXPECT_TRUE(s.save());
  }
  viewer::settings second_settings(file);
  EXPECT_EQ(second_settings.text("page"), "Machine");
  EXPECT_EQ(second_settings.number("zoom", 0), 1.1);
  EXPECT_EQ(second_settings.text("words"), "two words = one value and no second line");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(file.parent_path()), {}), 1) << "nothing else is left";
}

TEST(viewer_settings, what_is_not_understood_stays) {
  const temporary_folder folder;
  const auto file = folder.path() / "viewer.txt";
  std::ofstream(file) << "a line without a sign\n = no name\nzoom = much\ntheme=dark\n\x01\xff\n";
  viewer::settings s(file);
  EXPECT_EQ(s.number("zoom", 2), 2) << "a word is no number";
  EXPECT_EQ(s.text("theme"), "dark");
  s.set("zoom", 3.0);
  EXPECT_TRUE(s.save());
  EXPECT_EQ(text_in(file), "a line without a sign\n = no name\n\x01\xff\ntheme = dark\nzoom = 3\n");
  for (const char* number : {"nan", "inf", "1e999", "3x", ""}) {
    std::ofstream(file) << "zoom = " << number << '\n';
    EXPECT_EQ(viewer::settings(file).number("zoom", 7), 7) << number;
  }
}

TEST(viewer_settings, are_written_only_when_they_have_changed) {
  const temporary_folder folder;
  const auto file = folder.path() / "viewer.txt";
  viewer::settings s(file);
  EXPECT_TRUE(s.save());
  EXPECT_FALSE(std::filesystem::exists(file));
  s.set("a", "b");
  EXPECT_TRUE(s.save());
  std::filesystem::remove(file);
  s.set("a", "b");
  EXPECT_TRUE(s.save());
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(viewer_settings, say_when_they_can_not_be_written) {
  const temporary_folder folder;
  std::ofstream(folder.path() / "file") << "no folder";
  viewer::settings s(folder.path() / "file" / "viewer.txt");
  s.set("a", "b");
  EXPECT_FALSE(s.save());
  viewer::settings nowhere;
  nowhere.set("a", "b");
  EXPECT_TRUE(nowhere.save()) << "without a home nothing is to be remembered";
}

}  // namespace
