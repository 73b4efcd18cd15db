// The page Course, with a course of two lessons in a folder of the test's, and a compiler that says what the test
// wants.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "runtime/core/error.h"
#include "tests/viewer/driven_viewer.h"
#include "viewer/course/exercise_panel.h"
#include "viewer/course/shown_course.h"
#include "viewer/pages/all_pages.h"
#include "viewer/pages/course_page.h"
#include "workbook/exercise/progress.h"

namespace {

namespace fs = std::filesystem;
using gridstride_test::temporary_folder;
using viewer_test::driven_viewer;

class viewer_course_page : public testing::Test {
 protected:
  viewer_course_page() : path_(std::getenv("PATH")) {
    write("lessons/90_toy/README.md", "# A toy\n\nWhat it is **about**.\n\n    $ ./gridstride run 90\n");
    write("lessons/90_toy/lesson.cpp", "// The toy's program.\nint main() {}\n");
    write("lessons/91_other/README.md", "# The other one\n\nBack to [the toy](../90_toy/README.md).\n");
    write("lessons/91_other/lesson.cpp", "// The other's program.\n");
    for (const char* name : {"90_toy", "91_other"}) {
      fs::create_directories(folder_.path() / "build/lessons");
      fs::create_symlink(TOY_LESSON, folder_.path() / "build/lessons" / name);
      fs::create_symlink(TOY_LESSON_MODULE, folder_.path() / "build/lessons" / (std::string(name) + ".so"));
    }
    compiler("exit 0");
    setenv("PATH", ((folder_.path() / "bin").string() + ":" + path_).c_str(), 1);
  }
  ~viewer_course_page() override { setenv("PATH", path_.c_str(), 1); }

  void write(const std::string& file, const std::string& text) {
    fs::create_directories((folder_.path() / file).parent_path());
    std::ofstream(folder_.path() / file) << text;
  }
  // A save later than any before, as a reader's is; in one go, so that nobody sees it twice.
  void save(const std::string& file, const std::string& text) {
    write(file + "~", text);
    fs::last_write_time(folder_.path() / (file + "~"),
                        fs::file_time_type::clock::now() + std::chrono::seconds(++saves_));
    fs::rename(folder_.path() / (file + "~"), folder_.path() / file);
  }
  void program(const std::string& file, const std::string& script) {
    write(file, "#!/bin/bash\n" + script + "\n");
    fs::permissions(folder_.path() / file, fs::perms::owner_all);
  }
  void compiler(const std::string& script) { program("bin/cmake", script); }

  driven_viewer open(ImVec2 size = {1280, 1400}, std::optional<viewer::lesson_on_ranks> on_ranks = {}) {
    std::vector<std::unique_ptr<viewer::page>> pages;
    pages.push_back(std::make_unique<viewer::course_page>());
    page_ = static_cast<viewer::course_page*>(pages[0].get());
    return {std::move(pages),
            {.root = folder_.path(),
             .build = folder_.path() / "build",
             .my = folder_.path() / "my",
             .on_ranks = std::move(on_ranks)},
            size};
  }
  // Asks for a lesson as the command line does, and waits until its run has begun.
  testing::AssertionResult runs(driven_viewer& viewer, const std::string& subject) {
    viewer.application.open("Course", subject);
    if (!viewer.until([&] { return page_->latest().has_value(); })) return testing::AssertionFailure() << "no run";
    return testing::AssertionSuccess();
  }
  bool settles(driven_viewer& viewer) {
    const bool settled = viewer.until([&] { return !page_->busy(); });
    viewer.frame(3);
    return settled;
  }

  temporary_folder folder_;
  viewer::course_page* page_ = nullptr;

 private:
  std::string path_;
  int saves_ = 0;
};

TEST_F(viewer_course_page, lists_the_lessons_and_shows_one) {
  auto viewer = open();
  EXPECT_TRUE(viewer.sees("90  toy"));
  EXPECT_TRUE(viewer.sees("91  other"));
  viewer.click("90  toy");
  ASSERT_TRUE(settles(viewer));
  EXPECT_FALSE(viewer.sees("A toy")) << "the lesson's title stands above, once";
  for (const char* text : {"What it is", "about", "$ ./gridstride run 90"}) EXPECT_TRUE(viewer.sees(text)) << text;
  viewer.click("Program");
  EXPECT_TRUE(viewer.sees("// The toy's program."));
  EXPECT_FALSE(viewer.sees("What it is"));
}

// The launcher, whose first rank reports.
TEST_F(viewer_course_page, runs_a_lesson_as_the_ranks_that_were_asked_for) {
  program("gridstride",
          "echo \"$*\" >>'" + (folder_.path() / "said").string() + "'\nexec '" + TOY_LESSON + "' --stream 3");
  auto viewer = open({1280, 1400}, viewer::lesson_on_ranks{.program = "90_toy", .ranks = 4});
  ASSERT_TRUE(runs(viewer, "90 size=3"));
  ASSERT_TRUE(settles(viewer));
  EXPECT_EQ(page_->latest()->stage, viewer::run_stage::finished) << page_->latest()->message;
  ASSERT_TRUE(runs(viewer, "91"));
  ASSERT_TRUE(settles(viewer));
  std::string said, words;
  for (std::ifstream in(folder_.path() / "said"); std::getline(in, words);) said += words + "\n";
  EXPECT_EQ(said.find("91"), said.npos) << "another lesson runs as one process";
  EXPECT_TRUE(said.starts_with("run 90_toy --stream 3 --ranks 4 --size 3")) << said;
}

TEST_F(viewer_course_page, cuts_no_lesson_s_name_nor_its_mark) {
  const std::string name = "a_lesson_with_a_name_longer_than";
  write("lessons/92_" + name + "/README.md", "# Long\n\nText.\n");
  write("lessons/92_" + name + "/lesson.cpp", "int main() {}\n");
  write("lessons/92_" + name + "/checks.cpp", "");
  write("lessons/92_" + name + "/hints.md", "# Hints\n\n## Gently\n\nThink of it.\n");
  write("lessons/92_" + name + "/solution.cpp", "// Your turn.\nint two = 2;\n//= int two = 0;\n// Until here.\n");
  write("my/progress.txt", "92 " + name + " passed " + workbook::today() + " 0\n");
  auto viewer = open({1600, 1000});
  viewer.frame(3);
  EXPECT_TRUE(viewer.sees_all_of("92  " + name + "  ✓"));
}

TEST_F(viewer_course_page, breaks_no_heading_of_a_table_that_has_room) {
  write("lessons/90_toy/README.md",
        "# A toy\n\n| alphabet of the given omega | n | m | k |\n| --- | --- | --- | --- |\n| 1 | 2 | 3 | 4 |\n");
  auto viewer = open();
  viewer.click("90  toy");
  ASSERT_TRUE(settles(viewer));
  const auto first = viewer.find("alphabet"), last = viewer.find("omega");
  ASSERT_TRUE(first && last);
  EXPECT_EQ(first->y, last->y);
}

TEST_F(viewer_course_page, wraps_what_is_said_of_a_picture) {
  std::string sentence = "It goes on";
  for (int k = 0; k < 20; ++k) sentence += " and on";
  write("lessons/91_other/README.md", "# The other one\n\nBefore it.\n\n![" + sentence + "](picture.png)\n");
  fs::copy_file(fs::path(LESSON_SOURCES) / "43_attention/who_looks_where.png",
                folder_.path() / "lessons/91_other/picture.png");
  auto viewer = open();
  viewer.click("91  other");
  ASSERT_TRUE(settles(viewer));
  const auto before = viewer.find("Before");
  ASSERT_TRUE(before);
  viewer.surface->mouse = {before->x + 60, before->y + 90};
  viewer.frame(4);
  const ImGuiWindow* hint = ImGui::FindWindowByName("##Tooltip_00");
  ASSERT_TRUE(hint != nullptr && hint->Active);
  EXPECT_LT(hint->Size.x, 520);
  EXPECT_GT(hint->Size.y, 50) << "several lines";
}

TEST_F(viewer_course_page, follows_a_link_to_another_lesson) {
  auto viewer = open();
  viewer.click("91  other");
  ASSERT_TRUE(settles(viewer));
  viewer.click("toy");  // of "the toy", the link
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("What it is") || viewer.sees("Back to"));
}

TEST_F(viewer_course_page, scrolls_the_list_to_the_lesson_that_is_opened) {
  for (int k = 10; k < 80; ++k) {
    const std::string folder = fmt::format("lessons/{}_filler_{}", k, k);
    write(folder + "/README.md", fmt::format("# Filler\n\nNumber {}.\n", k));
    write(folder + "/lesson.cpp", "int main() {}\n");
  }
  driven_viewer viewer = open({1280, 720});
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("12  filler_12"));
  EXPECT_FALSE(viewer.sees("90  toy"));
  viewer.application.open("Course", "90");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("90  toy"));
  EXPECT_FALSE(viewer.sees("12  filler_12"));
  // A lesson that the reader chooses in the list stays where it is.
  const auto before = viewer.find("91  other");
  ASSERT_TRUE(before);
  viewer.click("91  other");
  ASSERT_TRUE(settles(viewer));
  EXPECT_EQ(viewer.find("91  other")->y, before->y);
}

TEST_F(viewer_course_page, runs_a_lesson_and_shows_its_report) {
  auto viewer = open();
  viewer.click("90  toy");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("What the lesson finds is shown here."));
  viewer.click("Run");
  ASSERT_TRUE(settles(viewer));
  for (const char* text : {"A heading", "A paragraph about σ and µ.", "distance [m]", "3.42 ms", "✓",
                           "the size is what was asked", "doing nothing", "2 copies to the device", "A wave"})
    EXPECT_TRUE(viewer.sees(text)) << text;
  EXPECT_FALSE(viewer.sees("What the lesson finds is shown here."));
  viewer.draw_at_extreme_sizes();
  EXPECT_TRUE(viewer.sees("A heading"));
  ASSERT_TRUE(page_->latest());
  EXPECT_EQ(page_->latest()->stage, viewer::run_stage::finished);
}

TEST_F(viewer_course_page, opens_a_lesson_at_its_text_and_from_the_beginning) {
  for (const char* name : {"90_toy", "91_other"}) {
    std::string text = fmt::format("# Title\n\nFirst of {}.\n\n", name);
    for (int k = 0; k < 400; ++k) text += fmt::format("Paragraph {}.\n\n", k);
    write(fmt::format("lessons/{}/README.md", name), text);
  }
  auto viewer = open();
  viewer.click("90  toy");
  ASSERT_TRUE(settles(viewer));
  viewer.surface->mouse = *viewer.find("First of 90_toy.");
  viewer.surface->wheel = -50;
  viewer.frame(3);
  ASSERT_FALSE(viewer.sees("First of 90_toy."));
  viewer.click("91  other");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("First of 91_other.")) << "where the lesson before was scrolled to doesn't matter";
  viewer.click("Program");
  viewer.click("90  toy");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("First of 90_toy.")) << "nor where this one was";
  viewer.click("91  other");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("First of 91_other.")) << "its text, and not the program that was looked at last";
  ASSERT_TRUE(runs(viewer, "90"));
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("First of 90_toy."));
  EXPECT_TRUE(viewer.sees("A heading"));
}

TEST_F(viewer_course_page, keeps_the_results_of_a_lesson_that_is_left) {
  auto viewer = open();
  viewer.click("90  toy");
  ASSERT_TRUE(settles(viewer));
  viewer.click("Run");
  ASSERT_TRUE(settles(viewer));
  ASSERT_TRUE(viewer.sees("A heading"));
  viewer.click("91  other");
  ASSERT_TRUE(settles(viewer));
  EXPECT_FALSE(viewer.sees("A heading"));
  viewer.click("90  toy");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("A heading"));
  EXPECT_EQ(page_->latest()->stage, viewer::run_stage::finished);
}

TEST_F(viewer_course_page, says_why_a_text_cannot_be_shown) {
  fs::remove(folder_.path() / "lessons/90_toy/README.md");
  fs::create_directory(folder_.path() / "lessons/90_toy/README.md");
  auto viewer = open();
  viewer.click("90  toy");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("it is no regular file"));
  viewer.click("Program");
  EXPECT_TRUE(viewer.sees("// The toy's program.")) << "and the rest is there";
}

TEST_F(viewer_course_page, is_worked_through_by_keyboard_alone) {
  auto viewer = open();
  viewer.choose("91  other");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("Back to"));
  viewer.choose("toy");  // the text, which scrolls by itself
  viewer.choose("toy");  // the link in it
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("What it is"));
  viewer.press(viewer::key_escape);
  viewer.choose("Program");
  EXPECT_TRUE(viewer.sees("// The toy's program."));
  viewer.choose("Run");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("A heading"));
  viewer.choose("Text");
  EXPECT_TRUE(viewer.sees("What it is"));
}

TEST_F(viewer_course_page, runs_what_it_is_asked_for_with_values) {
  auto viewer = open();
  ASSERT_TRUE(runs(viewer, "90 size=11"));
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("--size 11")) << "in the list of runs";
  EXPECT_TRUE(viewer.sees("✗")) << "the toy checks for 10";
  viewer.application.open("Course", "77");
  viewer.frame(3);
  EXPECT_NE(viewer.application.status().find("lesson '77'"), std::string::npos) << viewer.application.status();
}

TEST_F(viewer_course_page, says_how_a_lesson_failed) {
  auto viewer = open();
  ASSERT_TRUE(runs(viewer, "90 fail=machine"));
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("there is no such machine"));
  EXPECT_TRUE(viewer.sees("A heading")) << "what came before stays";
}

TEST_F(viewer_course_page, cancels_a_lesson_that_goes_on_for_ever) {
  fs::remove(folder_.path() / "build/lessons/90_toy");
  program("build/lessons/90_toy", "echo begun; while :; do sleep 0.01; done");
  auto viewer = open();
  ASSERT_TRUE(runs(viewer, "90"));
  ASSERT_TRUE(viewer.until_sees("begun"));
  EXPECT_TRUE(viewer.sees("running"));
  EXPECT_TRUE(page_->busy() && page_->moving());
  viewer.click("Cancel");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("cancelled"));
  EXPECT_TRUE(viewer.sees("Run")) << "and can be run again";
}

TEST_F(viewer_course_page, answers_within_two_frames) {
  fs::remove(folder_.path() / "build/lessons/90_toy");
  program("build/lessons/90_toy", "while :; do sleep 0.01; done");
  auto viewer = open();
  viewer.click("90  toy");
  ASSERT_TRUE(settles(viewer));
  EXPECT_LE(viewer.frames_from_click("Program", [&] { return viewer.sees("// The toy's program."); }), 2);
  EXPECT_LE(viewer.frames_from_click("Run", [&] { return viewer.sees("Cancel") && viewer.sees("running"); }), 2);
  viewer.click("Cancel");
  ASSERT_TRUE(settles(viewer));
  const auto press = [](auto& on) { on.keys = {'R'}, on.ctrl = true; };
  EXPECT_LE(viewer.frames_until(press, [&] { return viewer.sees("Cancel"); }), 2);
  viewer.surface->keys.clear(), viewer.surface->ctrl = false;
  viewer.click("Cancel");
  ASSERT_TRUE(settles(viewer));
}

TEST_F(viewer_course_page, zooms_and_moves_a_plot_within_two_frames) {
  auto viewer = open();
  ASSERT_TRUE(runs(viewer, "90"));
  ASSERT_TRUE(settles(viewer));
  const auto title = viewer.find("A wave");
  ASSERT_TRUE(title);
  viewer.surface->mouse = {title->x + 60, title->y + 120};
  viewer.frame(3);
  EXPECT_LE(viewer.frames_until_change([](auto& on) { on.wheel = 1; }), 2);
  viewer.frame(3);
  viewer.surface->buttons[0] = true;
  viewer.frame(3);
  EXPECT_LE(viewer.frames_until_change([](auto& on) { on.mouse.x += 40; }), 2);
}

TEST_F(viewer_course_page, builds_and_runs_again_when_the_program_is_saved) {
  auto viewer = open();
  ASSERT_TRUE(runs(viewer, "90"));
  ASSERT_TRUE(settles(viewer));
  compiler("echo built >> '" + (folder_.path() / "builds").string() + "'");
  viewer.click("Program");
  save("lessons/90_toy/lesson.cpp", "// The toy's new program.\n");
  EXPECT_TRUE(viewer.until_sees("// The toy's new program."));
  EXPECT_TRUE(viewer.until([&] { return fs::exists(folder_.path() / "builds"); }));
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("A heading"));
  EXPECT_TRUE(viewer.sees("built again"));
  EXPECT_FALSE(viewer.sees("building it"));
}

TEST_F(viewer_course_page, shows_the_compilers_message_at_its_line) {
  auto viewer = open();
  ASSERT_TRUE(runs(viewer, "90"));
  ASSERT_TRUE(settles(viewer));
  compiler(
      "echo '/x/lessons/90_toy/lesson.cpp:2:5: error: expected one more semicolon, "
      "in words that are too many for the pane in which the message is shown, so that it is "
      "wrapped'; exit 1");
  save("lessons/90_toy/lesson.cpp", "// one\nint broken\n");
  EXPECT_TRUE(viewer.until_sees("lesson.cpp:2  expected one more semicolon"));
  EXPECT_TRUE(viewer.sees("wrapped"));
  viewer.frame(3);
  EXPECT_TRUE(viewer.sees("int")) << "the program comes to the front";
  EXPECT_FALSE(viewer.sees("A heading")) << "old results don't look like new ones";
  compiler("exit 0");
  save("lessons/90_toy/lesson.cpp", "// mended\n");
  EXPECT_TRUE(viewer.until_sees("A heading"));
  EXPECT_FALSE(viewer.sees("expected one more semicolon"));
}

TEST_F(viewer_course_page, is_whole_in_a_small_window) {
  auto viewer = open({420, 900});
  ASSERT_TRUE(runs(viewer, "90"));
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("A heading")) << "the result comes to the front";
  viewer.click("Text");
  EXPECT_TRUE(viewer.sees("What it is"));
}

TEST_F(viewer_course_page, checks_the_exercise_on_every_save) {
  write("lessons/90_toy/checks.cpp", "");
  write("lessons/90_toy/hints.md", "# Hints\n\n## Gently\n\nThink of it.\n\n## Plainly\n\nReturn 2.\n");
  write("lessons/90_toy/solution.cpp",
        "// Your turn.\nint two() { return 2; }\n//= int two() { return 0; }\n// Until here.\n");
  program("gridstride", R"sh([ "$1 $2 $4" = 'check 90_toy --json' ] || exit 2
if grep -q 'return 2' "$3"; then passed=true outcome=passed; else passed=false outcome='check failed'; fi
cat <<END
{"schema": "gridstride-exercise", "version": 1, "passed": $passed, "outcome": "$outcome", "text": "", "messages": "",
 "advice": "", "output": "", "place": null, "findings": [],
 "asked": {"file": "$3", "line": 2, "column": 1},
 "checks": [{"name": "two()", "passed": $passed, "expected": "2", "got": "0"
}]
}
END)sh");
  auto viewer = open();
  viewer.click("90  toy");
  ASSERT_TRUE(settles(viewer));
  viewer.click("Exercise");
  EXPECT_FALSE(fs::exists(folder_.path() / "my/90_toy.cpp")) << "nothing is written before the reader begins";
  viewer.click("Begin");
  std::ifstream progress(folder_.path() / "my/progress.txt");
  const std::string noted(std::istreambuf_iterator<char>(progress), {});
  EXPECT_NE(noted.find("90 toy started"), noted.npos) << noted;
  EXPECT_TRUE(viewer.sees("return"));
  EXPECT_FALSE(viewer.sees("Return 2."));
  viewer.click("Check");
  EXPECT_TRUE(viewer.until_sees("check failed"));
  EXPECT_TRUE(viewer.sees("two()") && viewer.sees("expected  2") && viewer.sees("It asks for line 2."));
  EXPECT_FALSE(viewer.sees("our solution"));

  viewer.click("A hint");
  EXPECT_TRUE(viewer.sees("Gently") && viewer.sees("Think") && !viewer.sees("Plainly"));
  viewer.click("One more hint");
  EXPECT_TRUE(viewer.sees("Plainly"));

  save("my/90_toy.cpp", "int two() { return 2; }\n");
  EXPECT_TRUE(viewer.until_sees("Passed, 1 check"));
  EXPECT_FALSE(viewer.sees("Your turn.")) << "the learner's file";
  viewer.click("our solution");
  EXPECT_TRUE(viewer.sees("Your turn."));
}

TEST_F(viewer_course_page, shows_a_warm_up_beside_the_lessons_exercise) {
  for (const auto& [folder, two] : {std::pair{"lessons/90_toy", "2"}, {"lessons/90_toy/warm_up", "1 + 1"}}) {
    const std::string name = folder;
    fs::create_directories(folder_.path() / name);
    write(name + "/checks.cpp", "");
    write(name + "/hints.md", "# Hints\n\n## Gently\n\nThink of it.\n");
    write(name + "/solution.cpp",
          "// Your turn.\nint two = " + std::string(two) + ";\n//= int two = 0;\n// Until here.\n");
  }
  program("gridstride", R"sh(echo "$2 of ${3##*/}" >> "${3%/*}/asked"
cat <<END
{"schema": "gridstride-exercise", "version": 1, "passed": true, "outcome": "passed", "text": "", "messages": "",
 "advice": "", "output": "", "place": null, "asked": null, "findings": [], "checks": []}
END)sh");
  const auto text = [&](const char* name) {
    std::ifstream file(folder_.path() / "my" / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  auto viewer = open();
  viewer.click("90  toy");
  ASSERT_TRUE(settles(viewer));
  viewer.click("Warm-up");
  viewer.click("Begin");
  viewer.click("Check");
  EXPECT_TRUE(viewer.until_sees("Passed, 0 checks"));
  viewer.click("our solution");
  EXPECT_TRUE(viewer.sees("1 + 1"));
  viewer.click("Exercise");
  EXPECT_FALSE(fs::exists(folder_.path() / "my/90_toy.cpp")) << "each begins by itself";
  viewer.click("Begin");
  viewer.click("Check");
  EXPECT_TRUE(viewer.until_sees("Passed, 0 checks"));
  EXPECT_EQ(text("asked"), "90w_toy of 90w_toy.cpp\n90_toy of 90_toy.cpp\n");
  EXPECT_EQ(text("progress.txt").substr(text("progress.txt").find('\n')),
            "\n90w toy started " + workbook::today() + " 0\n90 toy started " + workbook::today() + " 0\n");
}

TEST_F(viewer_course_page, shows_of_an_exercise_what_came_first) {
  write("lessons/90_toy/checks.cpp", "");
  write("lessons/90_toy/hints.md", "# Hints\n\n## Gently\n\nThink of it.\n");
  write("lessons/90_toy/solution.cpp", "// Your turn.\nint two = 2;\n//= int two = 0;\n// Until here.\n");
  program("gridstride", R"sh(echo 'Building the instruments (checked)' >&2
while [ ! -e "${3%/*}/go_on" ]; do sleep 0.01; done
echo 'Another ./gridstride is building here; waiting for it.' >&2
while [ ! -e "${3%/*}/go_on_again" ]; do sleep 0.01; done
cat <<END
{"schema": "gridstride-exercise", "version": 1, "passed": false, "outcome": "finding", "text": "", "messages": "",
 "advice": "", "output": "", "place": null, "asked": null,
 "findings": [
  {"finding": "race_in_block", "meaning": "Two threads meet.", "hint": "", "place": {"line": 1}},
  {"finding": "outside_shape", "meaning": "It writes beside.", "hint": "", "place": {"line": 2}}],
 "checks": [{"name": "the sum", "passed": false, "expected": "2", "got": "0"}]
}
END)sh");
  auto viewer = open();
  viewer.click("90  toy");
  ASSERT_TRUE(settles(viewer));
  viewer.click("Exercise");
  viewer.click("Begin");
  viewer.click("Check");
  EXPECT_TRUE(viewer.until_sees("Building the instruments (checked), then compiling and checking"));
  write("my/go_on", "");
  EXPECT_TRUE(viewer.until_sees("Another ./gridstride is building here"));
  write("my/go_on_again", "");
  EXPECT_TRUE(viewer.until_sees("Two threads meet."));
  EXPECT_FALSE(viewer.sees("It writes beside.") || viewer.sees("the sum"));
  viewer.click("what came later (2)");
  EXPECT_TRUE(viewer.sees("It writes beside.") && viewer.sees("the sum"));
}

// The child window of that label. ImGui puts a number behind it.
const ImGuiWindow* child_window(std::string_view label) {
  for (const ImGuiWindow* w : ImGui::GetCurrentContext()->Windows)
    if (w->WasActive && std::string_view(w->Name).find("/" + std::string(label) + "_") != std::string_view::npos)
      return w;
  return nullptr;
}

TEST_F(viewer_course_page, keeps_an_exercise_in_a_small_window_below_a_failed_check_and_hints) {
  write("lessons/90_toy/checks.cpp", "");
  std::string hint;
  for (int k = 0; k < 30; ++k) hint += "Think of it.\n\n";
  write("lessons/90_toy/hints.md", "# Hints\n\n## Gently\n\n" + hint + "## Plainly\n\nReturn 2.\n\n" + hint);
  const std::string longer_than_the_window(200, 'x');
  write("lessons/90_toy/solution.cpp",
        "// Your turn. " + longer_than_the_window + "\nint two = 2;\n//= int two = 0;\n// Until here.\n");
  program("gridstride", R"sh(cat <<END
{"schema": "gridstride-exercise", "version": 1, "passed": false, "outcome": "check failed", "text": "", "messages": "",
 "advice": "", "output": "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\nthe last line", "place": null, "asked": null,
 "findings": [], "checks": [{"name": "the sum", "passed": false, "expected": "2", "got": "0"}]}
END)sh");
  auto viewer = open({900, 600});
  viewer.application.open("Course", "90");
  ASSERT_TRUE(settles(viewer));
  viewer.click("Exercise");
  viewer.click("Begin");
  const auto file_is_whole = [&] {
    const ImGuiWindow* file = child_window("exercise");
    return file != nullptr && file->ScrollbarX && file->ParentWindow->ScrollMax.y <= 0 &&
           file->ParentWindow->InnerRect.Contains(file->Rect()) && file->Size.y >= 120;
  };
  EXPECT_TRUE(file_is_whole()) << "nothing was checked";
  viewer.click("Check");
  ASSERT_TRUE(viewer.until_sees("check failed"));
  viewer.frame(3);
  EXPECT_TRUE(file_is_whole()) << "with its scroll bar, below the result";
  const auto heading = viewer.find("✗  check failed");
  ASSERT_TRUE(heading);
  viewer.surface->mouse = *heading;
  for (int k = 0; k < 20; ++k) {
    viewer.surface->wheel = -1;
    viewer.frame();
  }
  EXPECT_TRUE(viewer.sees("the last line"));
  viewer.click("A hint");
  EXPECT_TRUE(viewer.sees("Gently")) << "a new hint is scrolled to";
  EXPECT_TRUE(file_is_whole());
}

// A program of the reader's own in two files, which is built by a script.
class viewer_own_program : public viewer_course_page {
 protected:
  viewer_own_program() {
    write("my/wave.cpp", "// The wave's program.\n");
    write("my/fast waves.cpp", "// Faster ones.\n");
    fs::create_symlink(TOY_LESSON, folder_.path() / "build/lessons/wave");
    fs::create_symlink(TOY_LESSON_MODULE, folder_.path() / "build/lessons/wave.so");
    program("build it", "echo \"$@\" >> '" + builds().string() + "'");
  }
  fs::path builds() const { return folder_.path() / "builds"; }
  viewer::own_program own() const {
    const std::string first = folder_.path() / "my/wave.cpp", second = folder_.path() / "my/fast waves.cpp";
    return {
        .name = "wave", .sources = {first, second}, .words = {first, second}, .builder = folder_.path() / "build it"};
  }
  viewer::application::places places() const {
    return {.root = folder_.path(),
            .build = folder_.path() / "build",
            .my = folder_.path() / "my",
            .settings = folder_.path() / "settings.txt",
            .own = own()};
  }
  driven_viewer open_program() {
    auto pages = viewer::pages_of_program();
    page_ = static_cast<viewer::course_page*>(pages[0].get());
    return {std::move(pages), places(), {1280, 1400}};
  }
  testing::AssertionResult runs(driven_viewer& viewer, const std::string& subject) {
    viewer.application.open("Program", subject);
    if (!viewer.until([&] { return page_->latest().has_value(); })) return testing::AssertionFailure() << "no run";
    return testing::AssertionSuccess();
  }
};

TEST_F(viewer_own_program, is_shown_alone_and_runs_with_values) {
  auto viewer = open_program();
  EXPECT_EQ(viewer.application.titles(),
            (std::vector<std::string>{"Program", "Simulation", "Instruments", "Timeline", "Machine"}));
  EXPECT_TRUE(viewer.sees("wave  One of everything")) << "without being asked for";
  EXPECT_TRUE(viewer.sees("What the program finds is shown here."));
  ASSERT_TRUE(runs(viewer, "program size=11"));
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("--size 11"));
  for (const char* text : {"A heading", "✗", "A wave"}) EXPECT_TRUE(viewer.sees(text)) << text;
  for (const char* text : {"90  toy", "91  other", "Text"}) EXPECT_FALSE(viewer.sees(text)) << text;
  EXPECT_FALSE(fs::exists(builds())) << "it was built before";
  EXPECT_TRUE(viewer.sees("// The wave's program."));
  viewer.click("fast waves.cpp");
  EXPECT_TRUE(viewer.sees("// Faster ones."));
  EXPECT_FALSE(viewer.application.remembered().text("lesson", "none") == "wave") << "the course's lesson stays";
}

TEST_F(viewer_own_program, is_built_by_its_command_when_one_of_its_files_is_saved) {
  auto viewer = open_program();
  ASSERT_TRUE(runs(viewer, "program"));
  ASSERT_TRUE(settles(viewer));
  save("my/fast waves.cpp", "// Faster still.\n");
  EXPECT_TRUE(viewer.until([&] { return viewer.application.status().ends_with(": built again"); }));
  ASSERT_TRUE(settles(viewer));
  std::ifstream built(builds());
  std::string words;
  std::getline(built, words);
  EXPECT_EQ(words, fmt::format("view --into {0}/build {0}/my/wave.cpp {0}/my/fast waves.cpp", folder_.path().string()));
  program("build it", "echo 'fast waves.cpp:1:4: error: no such wave'; exit 1");
  save("my/fast waves.cpp", "// Broken\n");
  EXPECT_TRUE(viewer.until_sees("fast waves.cpp:1  no such wave"));
  viewer.frame(3);
  EXPECT_TRUE(viewer.sees("// Broken")) << "the file with the error comes to the front";
}

TEST_F(viewer_own_program, is_built_when_one_of_its_headers_is_saved) {
  write("my/wave.h", "// The wave's constants.\n");
  auto viewer = open_program();
  ASSERT_TRUE(runs(viewer, "program"));
  ASSERT_TRUE(settles(viewer));
  save("my/wave.h", "// Other constants.\n");
  EXPECT_TRUE(viewer.until([&] { return viewer.application.status().ends_with(": built again"); }));
  ASSERT_TRUE(settles(viewer));
  write("my/later.hpp", "// A second header.\n");
  save("my/wave.cpp", "#include \"later.hpp\"\n");
  EXPECT_TRUE(viewer.until([&] { return viewer.application.status() == "wave.cpp was saved: built again"; }));
  ASSERT_TRUE(settles(viewer));
  save("my/later.hpp", "// Changed.\n");
  EXPECT_TRUE(viewer.until([&] { return viewer.application.status() == "later.hpp was saved: built again"; }));
  ASSERT_TRUE(settles(viewer));
}

TEST_F(viewer_own_program, without_a_simulation_is_told_so) {
  auto viewer = open_program();
  viewer.application.open("Simulation");
  ASSERT_TRUE(viewer.until([&] { return !viewer.application.shown().busy(); }));
  viewer.frame(3);
  EXPECT_TRUE(viewer.sees("This program has no simulation: its this_lesson() sets no .simulate."));
}

// The stand-in for the instruments finds something in kernel.cpp.
TEST_F(viewer_own_program, is_inspected_and_shows_the_file_with_the_finding) {
  write("my/kernel.cpp", "line one\nline two\nline three\nline four\n");
  program("gridstride", "TOY_FINDINGS=1 exec '" INSPECTED_TOY "' --inspect \"$2\" \"$3\"");
  viewer::application::places with_kernel = places();
  with_kernel.own->sources.push_back(folder_.path() / "my/kernel.cpp");
  driven_viewer viewer(viewer::pages_of_program(), with_kernel, {1280, 1400});
  viewer.application.open("Instruments");
  viewer.frame(2);
  EXPECT_TRUE(viewer.sees("// The wave's program.")) << "until something is found";
  viewer.click("Inspect");
  ASSERT_TRUE(viewer.until([&] { return !viewer.application.shown().busy(); }));
  viewer.frame(4);
  EXPECT_TRUE(viewer.sees("Findings (2)"));
  EXPECT_TRUE(viewer.sees("line three"));
  EXPECT_FALSE(viewer.sees("// The wave's program."));
}

TEST_F(viewer_own_program, shows_the_file_of_each_finding_counter_and_access) {
  const auto lines_of = [](const std::string& name) {
    std::string text;
    for (int k = 1; k <= 9; ++k) text += fmt::format("{} {}\n", name, k);
    return text;
  };
  write("my/kernel.cpp", lines_of("kernel"));
  write("my/fill.cpp", lines_of("fill"));
  program("gridstride", "TOY_FINDINGS=1 TOY_OTHER_SOURCE=fill.cpp exec '" INSPECTED_TOY "' --inspect \"$2\" \"$3\"");
  viewer::application::places with_kernels = places();
  for (const char* name : {"my/kernel.cpp", "my/fill.cpp"}) with_kernels.own->sources.push_back(folder_.path() / name);
  driven_viewer viewer(viewer::pages_of_program(), with_kernels, {1280, 1400});
  viewer.application.open("Instruments");
  viewer.frame(2);
  viewer.click("Inspect");
  ASSERT_TRUE(viewer.until([&] { return !viewer.application.shown().busy(); }));
  viewer.frame(4);
  EXPECT_TRUE(viewer.sees("kernel 3")) << "the first finding's file";
  viewer.click("line 7");
  EXPECT_TRUE(viewer.sees("fill 7"));
  viewer.click("line 2");
  EXPECT_TRUE(viewer.sees("kernel 2"));
  const auto note = "32,000 sectors of 4,000 ideal";
  const auto point_at = [&](const char* line) {
    viewer.surface->mouse = viewer.find(line).value_or(ImVec2(-1, -1));
    viewer.frame(3);
  };
  point_at("kernel 2");
  EXPECT_TRUE(viewer.sees(note));

  viewer.click("Counters");
  viewer.click("write u");  // of the last row
  EXPECT_TRUE(viewer.sees("fill 8"));
  point_at("fill 2");
  EXPECT_FALSE(viewer.sees(note)) << "a note of the other file";

  viewer.click("Accesses");
  EXPECT_TRUE(viewer.sees("in fill")) << "the access of the line that was clicked";
}

TEST_F(viewer_own_program, is_named_by_its_files_in_commands) {
  unsetenv("GRIDSTRIDE_COMMAND");
  unsetenv("GRIDSTRIDE_COURSE");
  viewer::theme look;
  viewer::settings remembered;
  viewer::context c{.look = look,
                    .remembered = remembered,
                    .root = "/course",
                    .build = "/course/build/release",
                    .checkout = "/checkout"};
  const workbook::catalogue_entry lesson{.number = 6, .name = "gaussian_pdf"};
  using words = std::vector<std::string>;
  EXPECT_EQ(viewer::typed_command(lesson, {"--kind", "a b"}, c), "./gridstride run 06 --kind 'a b'");
  EXPECT_EQ(viewer::inspect_command(lesson, c),
            (words{"/checkout/gridstride", "inspect", "06_gaussian_pdf", "--stream", "3"}));
  EXPECT_EQ(viewer::build_command(lesson, c), (words{"cmake", "--build", "/course/build/release", "--target",
                                                     "06_gaussian_pdf", "06_gaussian_pdf_module"}));
  c.on_ranks = viewer::lesson_on_ranks{.program = "06_gaussian_pdf", .ranks = 3};
  EXPECT_EQ(viewer::typed_command(lesson, {"--kind", "x"}, c), "./gridstride run 06 --kind x --ranks 3");
  EXPECT_EQ(viewer::run_command(lesson, c),
            (words{"/checkout/gridstride", "run", "06_gaussian_pdf", "--stream", "3", "--ranks", "3"}));
  const workbook::catalogue_entry other{.number = 1, .name = "hypot"};
  EXPECT_EQ(viewer::run_command(other, c), (words{"/checkout/gridstride", "run", "01_hypot", "--stream", "3"}));
  c.on_ranks.reset();
  c.own = viewer::own_program{.name = "wave",
                              .sources = {fs::current_path() / "my/wave.cpp", "/x/fast waves.cpp"},
                              .words = {(fs::current_path() / "my/wave.cpp").string(), "/x/fast waves.cpp"},
                              .builder = "/checkout/builder"};
  const auto course = viewer::shown_course(c);
  const auto& wave = viewer::lesson_of("anything size=3", course, c);
  EXPECT_EQ(wave.program(), "wave");
  EXPECT_EQ(viewer::typed_command(wave, {"--size", "3"}, c),
            "./gridstride run my/wave.cpp '/x/fast waves.cpp' --size 3");
  EXPECT_EQ(viewer::inspect_command(wave, c),
            (words{"/checkout/gridstride", "inspect", "--stream", "3", c.own->words[0], "/x/fast waves.cpp"}));
  EXPECT_EQ(viewer::build_command(wave, c), (words{"/checkout/builder", "view", "--into", "/course/build/release",
                                                   c.own->words[0], "/x/fast waves.cpp"}));
}

TEST(checked_exercise, is_read_or_refused) {
  for (const char* wrong : {"", "{", "{}", "[]", R"({"schema": "gridstride-exercise"})",
                            R"({"schema": "gridstride-exercise", "passed": 3})", R"({"schema": "another"})"})
    EXPECT_THROW(viewer::read_checked_exercise(wrong), gs::error) << wrong;
}

}  // namespace
