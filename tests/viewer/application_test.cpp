// The window's frame: pages by label and by key, theme, scale, help, what is remembered, and random input.

#include "viewer/application/application.h"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <random>
#include <vector>

#include "tests/viewer/driven_viewer.h"
#include "viewer/keys.h"
#include "viewer/pages/all_pages.h"

namespace {

using gridstride_test::temporary_folder;
using viewer_test::driven_viewer;

// A page that shows its name and subject, has a text field, and can be made to throw.
class page_of_text : public viewer::page {
 public:
  explicit page_of_text(std::string name) : name_(std::move(name)) {}
  std::string_view title() const override { return name_; }
  void show(std::string_view subject) override { subject_ = subject; }
  void draw(viewer::context& c) override {
    if (subject_ == "throw") throw std::runtime_error("nothing works today");
    ImGui::TextUnformatted(("This is " + name_ + ", shows " + subject_).c_str());
    if (ImGui::Button("Elsewhere")) c.open("second", "a file");
    ImGui::InputText("field", text_, sizeof text_);
    if (ImGui::BeginChild("inner")) {
      if (subject_ == "throw inside") throw std::runtime_error("in the middle of it");
    }
    ImGui::EndChild();
    c.status = "status of " + name_;
  }

 private:
  std::string name_, subject_ = "nothing";
  char text_[32] = {};
};

std::vector<std::unique_ptr<viewer::page>> three_pages() {
  std::vector<std::unique_ptr<viewer::page>> pages;
  for (const char* name : {"First", "Second", "Third"}) pages.push_back(std::make_unique<page_of_text>(name));
  return pages;
}

const viewer::application::places nowhere{.root = "/not/there", .build = "/not/there", .my = "/not/there"};

TEST(viewer_application, pages_open_by_label_and_by_key) {
  driven_viewer viewer(three_pages(), nowhere);
  EXPECT_TRUE(viewer.sees("This is First, shows nothing"));
  EXPECT_TRUE(viewer.sees("status of First"));
  viewer.click("Third");
  EXPECT_TRUE(viewer.sees("This is Third") && !viewer.sees("This is First"));
  viewer.press('2', true);
  EXPECT_TRUE(viewer.sees("This is Second"));
  viewer.press('1', true);
  EXPECT_TRUE(viewer.sees("This is First"));
  viewer.press('9', true);
  EXPECT_TRUE(viewer.sees("This is First")) << "there is no ninth";
  viewer.press('3');
  EXPECT_TRUE(viewer.sees("This is First")) << "without Ctrl a number is a number";
  viewer.click("Elsewhere");
  EXPECT_TRUE(viewer.sees("This is Second, shows a file"));
  EXPECT_TRUE(viewer.application.open("THIRD", "it"));
  viewer.frame();
  EXPECT_TRUE(viewer.sees("This is Third, shows it"));
  EXPECT_FALSE(viewer.application.open("Fourth"));
  EXPECT_EQ(viewer.application.titles(), (std::vector<std::string>{"First", "Second", "Third"}));
}

TEST(viewer_application, a_narrow_window_has_a_menu_of_pages) {
  driven_viewer viewer(three_pages(), nowhere, {420, 500});
  EXPECT_TRUE(viewer.sees("First") && !viewer.sees("Third"));
  viewer.click_at({100, 20});
  ASSERT_TRUE(viewer.sees("Third"));
  viewer.click("Third");
  EXPECT_TRUE(viewer.sees("This is Third"));
}

TEST(viewer_application, all_pages_are_drawn_by_label_at_every_size) {
  for (const ImVec2 size : {ImVec2(200, 150), ImVec2(640, 480), ImVec2(1280, 720), ImVec2(5120, 2880)}) {
    driven_viewer viewer(viewer::all_pages(), nowhere, size);
    for (const auto& title : viewer.application.titles()) {
      if (size.x >= 700)
        viewer.click(title);
      else
        viewer.application.open(title);
      viewer.frame(3);
      EXPECT_EQ(viewer.application.shown().title(), title);
      EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 0);
      EXPECT_FALSE(viewer.sees("This page could not go on")) << title << " at " << size.x << " x " << size.y;
    }
  }
}

TEST(viewer_application, light_and_dark) {
  driven_viewer viewer(three_pages(), nowhere);
  const auto paper = [] { return ImGui::GetColorU32(ImGuiCol_WindowBg); };
  const ImU32 light = paper();
  viewer.press('T', true);
  EXPECT_EQ(viewer.application.current_theme().brightness, viewer::brightness::dark);
  const ImU32 dark = paper();
  EXPECT_NE(light, dark);
  EXPECT_EQ(dark, viewer.application.current_theme().background);
  EXPECT_TRUE(viewer.sees("This is First")) << "the fonts are there as before";
  viewer.press('T', true);
  EXPECT_EQ(paper(), light);
}

TEST(viewer_application, larger_and_smaller) {
  driven_viewer viewer(three_pages(), nowhere, {1280, 720}, {});
  const auto scale = [&] { return viewer.application.current_theme().scale; };
  EXPECT_EQ(scale(), 1);
  const float font_size_before = viewer.application.current_theme().text->FontSize;
  viewer.press('+', true);
  EXPECT_FLOAT_EQ(scale(), 1.1f);
  viewer.press('=', true);
  EXPECT_FLOAT_EQ(scale(), 1.25f);
  EXPECT_GT(viewer.application.current_theme().text->FontSize, font_size_before * 1.2f);
  EXPECT_TRUE(viewer.sees("This is First"));
  viewer.press('-', true);
  EXPECT_FLOAT_EQ(scale(), 1.1f);
  viewer.press('0', true);
  EXPECT_EQ(scale(), 1);
  for (int k = 0; k < 30; ++k) viewer.press('-', true);
  EXPECT_FLOAT_EQ(scale(), 0.7f);
  for (int k = 0; k < 30; ++k) viewer.press('+', true);
  EXPECT_FLOAT_EQ(scale(), 3);
}

TEST(viewer_application, help_opens_and_closes) {
  driven_viewer viewer(three_pages(), nowhere);
  const char* line = "light or dark";
  EXPECT_FALSE(viewer.sees(line));
  viewer.type("?");
  EXPECT_TRUE(viewer.sees(line));
  viewer.press(viewer::key_escape);
  EXPECT_FALSE(viewer.sees(line));
  viewer.press(viewer::key_f1);
  EXPECT_TRUE(viewer.sees(line));
  viewer.click("Close");
  EXPECT_FALSE(viewer.sees(line));
  viewer.click("Help");
  EXPECT_TRUE(viewer.sees(line));
  viewer.click_at({5, 5});
  EXPECT_FALSE(viewer.sees(line));
}

TEST(viewer_application, answers_keys_and_clicks_within_two_frames_on_every_page) {
  driven_viewer viewer(viewer::all_pages(), nowhere);
  const auto titles = viewer.application.titles();
  for (std::size_t k = 0; k < titles.size(); ++k) {
    const std::string& next = titles[(k + 1) % titles.size()];
    SCOPED_TRACE(titles[k]);
    viewer.application.open(titles[k]);
    ASSERT_TRUE(viewer.until([&] { return !viewer.application.shown().busy(); }));
    viewer.frame(3);
    const auto help = [&] { return viewer.sees("light or dark"); };
    EXPECT_LE(viewer.frames_until([](auto& on) { on.text = "?"; }, help), 2);
    viewer.frame(3);
    EXPECT_LE(viewer.frames_until([](auto& on) { on.keys = {viewer::key_escape}; }, [&] { return !help(); }), 2);
    viewer.surface->keys.clear();
    viewer.frame(3);
    EXPECT_LE(viewer.frames_until_change([](auto& on) { on.keys = {'T'}, on.ctrl = true; }), 2) << "light or dark";
    viewer.surface->keys.clear(), viewer.surface->ctrl = false;
    viewer.frame(3);
    EXPECT_LE(viewer.frames_from_click(next, [&] { return viewer.application.shown().title() == next; }), 2);
  }
}

TEST(viewer_application, keys_are_letters_while_text_is_typed) {
  driven_viewer viewer(three_pages(), nowhere);
  const auto field = viewer.find("field");
  ASSERT_TRUE(field);
  viewer.click_at({field->x - 100, field->y});
  viewer.type("why?");
  EXPECT_TRUE(viewer.sees("why?"));
  EXPECT_FALSE(viewer.sees("light or dark"));
  viewer.press('2', true);
  EXPECT_TRUE(viewer.sees("This is Second")) << "with Ctrl it is a shortcut";
}

TEST(viewer_application, a_page_that_throws_is_closed_and_can_be_tried_again) {
  driven_viewer viewer(three_pages(), nowhere);
  for (const auto& [subject, sentence] :
       {std::pair{"throw", "nothing works today"}, {"throw inside", "in the middle"}}) {
    viewer.application.open("Second", subject);
    viewer.frame(5);
    EXPECT_TRUE(viewer.sees("This page could not go on") && viewer.sees(sentence));
    viewer.click("First");
    EXPECT_TRUE(viewer.sees("This is First"));
    viewer.click("Second");
    viewer.frame(3);
    viewer.application.open("Second", "peace");
    viewer.click("Try again");
    EXPECT_TRUE(viewer.sees("This is Second, shows peace"));
  }
}

TEST(viewer_application, remembers_page_theme_and_zoom) {
  const temporary_folder folder;
  auto locations = nowhere;
  locations.settings = folder.path() / "viewer.txt";
  {
    driven_viewer viewer(three_pages(), locations, {1280, 720}, {});
    viewer.click("Third");
    viewer.press('T', true);
    viewer.press('+', true);
  }
  driven_viewer second_viewer(three_pages(), locations, {1280, 720}, {});
  EXPECT_TRUE(second_viewer.sees("This is Third"));
  EXPECT_EQ(second_viewer.application.current_theme().brightness, viewer::brightness::dark);
  EXPECT_FLOAT_EQ(second_viewer.application.current_theme().scale, 1.1f);
}

TEST(viewer_application, what_was_asked_for_comes_before_what_is_remembered) {
  const temporary_folder folder;
  auto locations = nowhere;
  locations.settings = folder.path() / "viewer.txt";
  std::ofstream(locations.settings) << "theme = dark\nzoom = 1e30\npage = Nowhere\n";
  {
    driven_viewer viewer(three_pages(), locations, {1280, 720}, {});
    EXPECT_TRUE(viewer.sees("This is First"));
    EXPECT_FLOAT_EQ(viewer.application.current_theme().scale, 3) << "as large as it goes";
  }
  driven_viewer viewer(three_pages(), locations, {1280, 720}, {.brightness = viewer::brightness::light, .scale = 2.0f});
  EXPECT_EQ(viewer.application.current_theme().brightness, viewer::brightness::light);
  EXPECT_EQ(viewer.application.current_theme().scale, 2);
}

TEST(viewer_application, says_once_that_it_cannot_remember) {
  const temporary_folder folder;
  std::ofstream(folder.path() / "file") << "no folder";
  auto locations = nowhere;
  locations.settings = folder.path() / "file" / "viewer.txt";
  std::vector<std::unique_ptr<viewer::page>> pages = viewer::all_pages();
  driven_viewer viewer(std::move(pages), locations);
  viewer.press('T', true);
  EXPECT_NE(viewer.application.status().find("can't be remembered"), std::string::npos);
}

TEST(viewer_application, closes_when_it_is_told_to) {
  driven_viewer viewer(three_pages(), nowhere);
  viewer.press('Q');
  EXPECT_FALSE(viewer.application.wants_to_close());
  viewer.press('Q', true);
  EXPECT_TRUE(viewer.application.wants_to_close());
}

// Records how long the application would wait, and doesn't wait.
class recording_surface : public viewer::null_surface {
 public:
  using null_surface::null_surface;
  viewer::wakes wait(double seconds) override {
    waits.push_back(seconds);
    return next_reason;
  }
  std::vector<double> waits;
  viewer::wakes next_reason = viewer::wakes::by_time;
};

TEST(viewer_application, waits_when_nothing_moves) {
  auto owned = std::make_unique<recording_surface>(ImVec2(1280, 720));
  recording_surface& surface = *owned;
  driven_viewer viewer(three_pages(), nowhere, {}, {.scale = 1.0f}, viewer::find_fonts(), std::move(owned));
  viewer.frame(5);
  const auto next_wait = [&] {
    viewer.application.wait();
    return surface.waits.back();
  };
  next_wait();  // what was new has settled
  const double longest = next_wait();
  EXPECT_GT(longest, 0.2);
  EXPECT_EQ(next_wait(), longest);

  surface.next_reason = viewer::wakes::by_input;
  next_wait();
  EXPECT_EQ(next_wait(), 0) << "input may be answered a frame later";

  surface.next_reason = viewer::wakes::by_call;
  viewer.frame(5);
  next_wait();
  const double short_wait = next_wait();
  EXPECT_GT(short_wait, 0);
  EXPECT_LT(short_wait, longest) << "another call may come soon";
}

TEST(viewer_application, is_woken_by_a_call) {
  driven_viewer viewer(three_pages(), nowhere);
  viewer.surface->wake();
  EXPECT_EQ(viewer.surface->wait(100), viewer::wakes::by_call);
}

// A seeded storm of clicks, wheels, keys and letters, while the window changes its size. ImGui asserts, and the
// sanitizers look on.
TEST(viewer_application, survives_thousands_of_random_inputs) {
  std::mt19937 random(7);
  const auto random_below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  auto pages = viewer::all_pages();
  for (auto& p : three_pages()) pages.push_back(std::move(p));
  driven_viewer viewer(std::move(pages), nowhere, {1280, 720}, {});
  auto& on = *viewer.surface;
  const ImVec2 sizes[] = {{200, 150}, {320, 900}, {699, 400}, {1280, 720}, {1920, 300}, {5120, 2880}};
  const std::string letters = "?.,pPrR0123456789eE+-kM_ \t\n=µ→";
  for (int k = 0; k < 6000; ++k) {
    switch (random_below(9)) {
      case 0:
        on.size = sizes[random_below(std::size(sizes))];
        break;
      case 1:
        on.wheel = static_cast<float>(random_below(7) - 3);
        break;
      case 2:
        on.text = letters.substr(static_cast<std::size_t>(random_below(static_cast<int>(letters.size()))), 2);
        break;
      case 3:
        on.keys = {random_below(350)};
        break;
      case 4:
        on.keys.clear();
        break;
      case 5:
        on.ctrl = random_below(4) == 0, on.shift = random_below(4) == 0;
        break;
      case 6:
        on.buttons[random_below(3)] = random_below(2) == 0;
        break;
      default:
        on.mouse = {static_cast<float>(random_below(static_cast<int>(on.size.x))),
                    static_cast<float>(random_below(static_cast<int>(on.size.y)))};
    }
    viewer.frame();
  }
  on.keys.clear(), on.ctrl = on.shift = false;
  for (bool& b : on.buttons) b = false;
  viewer.press(viewer::key_escape);
  viewer.press(viewer::key_escape);
  on.size = {1280, 720};
  viewer.press('0', true);
  viewer.application.open("First");
  viewer.frame(3);
  EXPECT_TRUE(viewer.sees("This is First"));
}

}  // namespace
