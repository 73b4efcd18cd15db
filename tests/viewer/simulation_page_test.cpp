// The page Simulation with a lesson whose fields are known in advance.

#include "viewer/pages/simulation_page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <fstream>
#include <mutex>

#include "runtime/device/device.h"
#include "tests/viewer/driven_viewer.h"
#include "tests/viewer/read_gif.h"
#include "viewer/keys.h"
#include "viewer/pages/simulation_colours.h"
#include "viewer/pages/simulation_recording.h"

namespace {

namespace fs = std::filesystem;
using gridstride_test::temporary_folder;
using viewer_test::driven_viewer;
using viewer_test::read_gif;

using values = std::map<std::string, std::string>;

// --- the thread ------------------------------------------------------------------------------------------------------

class viewer_simulation_runner : public testing::Test {
 protected:
  std::shared_ptr<const viewer::simulation_frame> next() {
    for (int k = 0; k < 2000; ++k) {
      if (auto frame = runner_.take()) return frame;
      if (!runner_.failure().empty()) return nullptr;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return nullptr;
  }
  static const workbook::heat_map& field(const viewer::simulation_frame& f, std::size_t k) {
    return std::get<workbook::heat_map>(*f.fields.at(k));
  }
  viewer::simulation_runner runner_{[] {}};
};

TEST_F(viewer_simulation_runner, steps_as_it_is_told) {
  runner_.begin(TOY_SIMULATION_1, {{"size", "4"}, {"rate", "0.5"}, {"unknown", "7"}});
  auto frame = next();
  ASSERT_TRUE(frame) << runner_.failure();
  EXPECT_EQ(frame->steps, 0u);
  EXPECT_TRUE(std::isnan(frame->step_seconds));
  EXPECT_EQ(frame->lesson.title, "A toy that grows");
  EXPECT_EQ(frame->values, (values{{"size", "4"}, {"rate", "0.5"}, {"kernel", "add"}, {"fail", "no"}}));
  EXPECT_EQ(frame->main_field, 1u);
  EXPECT_EQ(frame->total, 28);

  runner_.step(3);
  frame = next();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->steps, 3u);
  EXPECT_EQ(field(*frame, 1).values[27], 2.5);
  EXPECT_EQ(frame->total, 28 * 2.5);
  EXPECT_GT(frame->step_seconds, 0);
  EXPECT_EQ(field(*frame, 0).values[27], 1) << "what stays the same";

  runner_.change({{"kernel", "double"}});
  runner_.step(2);
  frame = next();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->steps, 5u);
  EXPECT_EQ(field(*frame, 1).values[0], 10) << "it goes on from where it was, by the other kernel";
  EXPECT_EQ(frame->values.at("kernel"), "double");
  EXPECT_FALSE(runner_.busy());
}

TEST_F(viewer_simulation_runner, keeps_the_range_of_colours) {
  const auto range = [](const workbook::heat_map& f) { return std::pair(f.value.min, f.value.max); };
  runner_.begin(TOY_SIMULATION_1, {{"rate", "0.25"}});
  auto frame = next();
  ASSERT_TRUE(frame);
  EXPECT_EQ(range(field(*frame, 1)), std::pair(std::optional(0.0), std::optional(1.0))) << "from zero, which is near";
  runner_.step(1);
  frame = next();
  ASSERT_TRUE(frame);
  EXPECT_EQ(range(field(*frame, 1)), std::pair(std::optional(0.0), std::optional(2.0))) << "1.25 is beyond";
  runner_.step(3);
  frame = next();
  ASSERT_TRUE(frame);
  EXPECT_EQ(range(field(*frame, 1)), std::pair(std::optional(0.0), std::optional(2.0))) << "2 isn't";
}

TEST_F(viewer_simulation_runner, gives_the_original_the_colours_of_what_evolves) {
  const auto high = [](const workbook::heat_map& f) { return f.value.max; };
  runner_.begin(TOY_SIMULATION_1, {{"rate", "0.25"}});
  auto frame = next();
  ASSERT_TRUE(frame);
  EXPECT_EQ(high(field(*frame, 0)), 1);
  runner_.step(1);
  frame = next();
  ASSERT_TRUE(frame);
  EXPECT_EQ(high(field(*frame, 0)), 2) << "as the field that has grown";
  const auto original = frame->fields[0];
  runner_.step(3);
  frame = next();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->fields[0], original) << "the same object while its colours stay";
}

TEST_F(viewer_simulation_runner, draws_each_time_in_its_own_range_if_asked_to) {
  runner_.begin(TOY_SIMULATION_1, {});
  ASSERT_TRUE(next());
  runner_.step(2);
  ASSERT_TRUE(next());
  runner_.set_colours(false);
  auto frame = next();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->steps, 2u) << "the same moment, drawn again";
  for (const std::size_t k : {0, 1, 2}) {
    EXPECT_FALSE(field(*frame, k).value.min || field(*frame, k).value.max) << k;
  }
  EXPECT_EQ(field(*frame, 2).colours, workbook::colour_map::diverging) << "around zero all the same";
  runner_.set_colours(false);
  EXPECT_FALSE(runner_.busy()) << "nothing is new";
  runner_.set_colours(true);
  frame = next();
  ASSERT_TRUE(frame);
  EXPECT_TRUE(field(*frame, 1).value.max);
}

TEST_F(viewer_simulation_runner, lets_a_field_of_both_signs_diverge_around_zero) {
  runner_.begin(TOY_SIMULATION_1, {});
  const auto frame = next();
  ASSERT_TRUE(frame);
  EXPECT_EQ(field(*frame, 1).colours, workbook::colour_map::viridis);
  const workbook::heat_map& signed_field = field(*frame, 2);
  EXPECT_EQ(signed_field.colours, workbook::colour_map::diverging);
  EXPECT_EQ(signed_field.value.min, -1.5);
  EXPECT_EQ(signed_field.value.max, 1.5);
}

TEST(viewer_simulation_colours, diverge_only_where_the_lesson_sets_no_range) {
  const auto colours_of = [](workbook::heat_map field) {
    viewer::field_colours colours;
    colours.keep(field);
    return field.colours;
  };
  using workbook::colour_map;
  workbook::heat_map field{.rows = 1, .columns = 2, .values = {-1, 2}};
  EXPECT_EQ(colours_of(field), colour_map::diverging);
  field.colours = colour_map::inferno;
  EXPECT_EQ(colours_of(field), colour_map::diverging) << "whatever the map";
  field = {.value = {.min = 0, .max = 2}, .rows = 1, .columns = 2, .values = {-1, 2}};
  EXPECT_EQ(colours_of(field), colour_map::viridis) << "its range is the lesson's";
  field = {.rows = 1, .columns = 2, .values = {1, 2}, .colours = colour_map::diverging};
  viewer::field_colours colours;
  colours.keep(field);
  EXPECT_EQ(field.value.min, -2) << "zero stays the middle where one sign is there";
}

TEST(viewer_simulation_colours, keep_zero_in_its_place) {
  const auto range_after = [](std::vector<std::vector<float>> frames) {
    viewer::field_colours colours;
    workbook::heat_map field;
    for (auto& values : frames) {
      field = {.rows = 1, .columns = values.size(), .values = std::move(values)};
      colours.keep(field);
    }
    return std::pair(field.value.min, field.value.max);
  };
  using pair = std::pair<std::optional<double>, std::optional<double>>;
  EXPECT_EQ(range_after({{-1, 3}}), pair(-3, 3)) << "in the middle";
  EXPECT_EQ(range_after({{-1, 3}, {0, 0.5}}), pair(-3, 3)) << "however little is left";
  EXPECT_EQ(range_after({{-1, 3}, {-4, 1}}), pair(-9, 9)) << "also where the range is widened";
  EXPECT_EQ(range_after({{1, 3}}), pair(0, 3));
  EXPECT_EQ(range_after({{-3, -1}}), pair(-3, 0));
  EXPECT_EQ(range_after({{300, 310}}), pair(300, 310)) << "temperatures have no zero to show";
  EXPECT_EQ(range_after({{0, 0}}), pair()) << "nothing to go by yet";
  EXPECT_EQ(range_after({{0, 0}, {0, 2}}), pair(0, 2));
  EXPECT_EQ(range_after({{}}), pair());
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(range_after({{nan, 1, 2, inf}}), pair(0, 2));
  workbook::heat_map map{.value = {.min = -1, .max = 7}, .rows = 1, .columns = 2, .values = {0, 1}};
  viewer::field_colours colours;
  colours.keep(map);
  EXPECT_EQ(pair(map.value.min, map.value.max), pair(-1, 7)) << "what the lesson says counts";
}

TEST_F(viewer_simulation_runner, plays_a_frame_when_the_last_one_was_taken) {
  runner_.set_speed(7, 0);
  runner_.begin(TOY_SIMULATION_1, {});
  ASSERT_TRUE(next());
  runner_.play(true);
  for (std::size_t k = 1; k <= 5; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // time enough to run ahead
    const auto frame = next();
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->steps, 7 * k);
  }
  runner_.play(false);
  while (runner_.busy()) runner_.take();
  EXPECT_FALSE(runner_.take());
}

TEST_F(viewer_simulation_runner, keeps_to_the_speed) {
  runner_.set_speed(1, 20);
  runner_.begin(TOY_SIMULATION_1, {});
  ASSERT_TRUE(next());
  const auto begin = std::chrono::steady_clock::now();
  runner_.play(true);
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(next());
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(190));
}

TEST_F(viewer_simulation_runner, says_why_it_cannot) {
  const auto refusal_of = [&](const fs::path& module, const values& texts) {
    runner_.begin(module, texts);
    for (int k = 0; k < 2000 && runner_.busy() && runner_.failure().empty(); ++k)
      if (!runner_.take()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return runner_.failure();
  };
  EXPECT_NE(refusal_of("/not/there.so", {}).find("opening the lesson module /not/there.so"), std::string::npos);
  EXPECT_NE(refusal_of(TOY_SIMULATION_1, {{"size", "0"}}).find("1 to 500"), std::string::npos);
  EXPECT_EQ(refusal_of(TOY_SIMULATION_1, {{"fail", "beginning"}}), "an exception that only the module knows");
  EXPECT_EQ(refusal_of(TOY_SIMULATION_1, {}), "");
  runner_.change({{"fail", "step"}});
  runner_.step(1);
  EXPECT_FALSE(next());
  EXPECT_EQ(runner_.failure(), "the toy's step: it was told to fail; choose another value for fail");
  EXPECT_EQ(refusal_of(TOY_SIMULATION_1, {}), "") << "and begins again";
}

TEST_F(viewer_simulation_runner, begins_on_the_device_it_is_told) {
  runner_.begin(TOY_SIMULATION_1, {}, gs::device_kind::engine);
  const auto frame = next();
  ASSERT_TRUE(frame) << runner_.failure();
  EXPECT_TRUE(frame->device.starts_with("engine")) << frame->device;
  if (gs::why_no_cuda().empty()) return;
  runner_.begin(TOY_SIMULATION_1, {}, gs::device_kind::cuda);
  EXPECT_FALSE(next());
  EXPECT_NE(runner_.failure().find(gs::why_no_cuda()), std::string::npos) << runner_.failure();
  EXPECT_EQ(gs::current_device(), gs::device_kind::engine);
  runner_.begin(TOY_SIMULATION_1, {});
  EXPECT_TRUE(next()) << "and goes on where it was";
}

TEST(viewer_simulation, that_never_ends_is_left_behind) {
  // In a process of its own, begun anew: what is left behind ends with it.
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        const auto begin = std::chrono::steady_clock::now();
        {
          viewer::simulation_runner runner([] {});
          runner.begin(TOY_SIMULATION_1, {{"fail", "never ends"}});
          while (!runner.take()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
          runner.step(1);
          std::string activity;
          while (runner.working_for(&activity) < 0.3) std::this_thread::sleep_for(std::chrono::milliseconds(10));
          if (activity != "stepping") std::_Exit(3);
        }
        const bool soon = std::chrono::steady_clock::now() - begin < std::chrono::seconds(30);
        std::_Exit(viewer::simulation_runner::abandoned() && soon ? 0 : 4);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_FALSE(viewer::simulation_runner::abandoned());
}

// --- the page --------------------------------------------------------------------------------------------------------

// Shown until the page Simulation is asked for.
class empty_page : public viewer::page {
 public:
  std::string_view title() const override { return "Empty"; }
  void draw(viewer::context&) override {}
};

class viewer_simulation_page : public testing::Test {
 protected:
  viewer_simulation_page() {
    fs::create_directories(lessons_);
    fs::copy_file(TOY_SIMULATION_1, lessons_ / "97_toy.so");
  }
  driven_viewer open(ImVec2 size = {1280, 900}) {
    std::vector<std::unique_ptr<viewer::page>> pages;
    pages.push_back(std::make_unique<viewer::simulation_page>());
    return {std::move(pages), {.root = folder_.path(), .build = folder_.path(), .my = {}}, size};
  }
  // Where the page can be asked for a lesson before it is drawn for the first time, as the command line does.
  driven_viewer open_another_page() {
    std::vector<std::unique_ptr<viewer::page>> pages;
    pages.push_back(std::make_unique<empty_page>());
    pages.push_back(std::make_unique<viewer::simulation_page>());
    return {std::move(pages), {.root = folder_.path(), .build = folder_.path(), .my = {}}, {1280, 900}};
  }
  // As a linker does: another file under the same name.
  void build_again() {
    fs::copy_file(TOY_SIMULATION_2, lessons_ / "new");
    fs::rename(lessons_ / "new", lessons_ / "97_toy.so");
    fs::last_write_time(lessons_ / "97_toy.so", fs::file_time_type::clock::now() - std::chrono::seconds(2));
  }
  static bool settles(driven_viewer& viewer) {
    return viewer.until([&] { return !viewer.application.shown().busy(); }) && (viewer.frame(2), true);
  }
  static bool at_step(driven_viewer& viewer, int n) {
    return viewer.until([&] { return (viewer.application.status() + " ").starts_with(fmt::format("Step {} ", n)); });
  }

  temporary_folder folder_;
  fs::path lessons_ = folder_.path() / "lessons";
};

TEST_F(viewer_simulation_page, begins_and_steps_by_button_and_key) {
  auto viewer = open();
  ASSERT_TRUE(settles(viewer));
  for (const char* text : {"A toy that grows", "Before", "Now", "Total", "Time of a step", "Row 0", "size", "kernel"})
    EXPECT_TRUE(viewer.sees(text)) << text;
  EXPECT_TRUE(at_step(viewer, 0));
  viewer.type(".");
  EXPECT_TRUE(at_step(viewer, 1));
  viewer.click("Step");
  EXPECT_TRUE(at_step(viewer, 2));
  viewer.application.shown().go_on();
  EXPECT_TRUE(at_step(viewer, 12)) << "ten steps a frame";
  viewer.press('R');
  EXPECT_TRUE(at_step(viewer, 0));
  viewer.click("Step");
  EXPECT_TRUE(at_step(viewer, 1));
  viewer.click("Reset");
  EXPECT_TRUE(at_step(viewer, 0));
}

TEST_F(viewer_simulation_page, plays_and_pauses) {
  auto viewer = open();
  ASSERT_TRUE(settles(viewer));
  viewer.press('P');
  EXPECT_TRUE(viewer.until_sees("Pause"));
  EXPECT_TRUE(viewer.until([&] { return viewer.application.status().starts_with("Step 2"); }));
  viewer.click("Pause");
  EXPECT_TRUE(viewer.sees("Play"));
  ASSERT_TRUE(settles(viewer));
  const std::string stopped = viewer.application.status();
  viewer.frame(20);
  EXPECT_EQ(viewer.application.status(), stopped);
}

TEST_F(viewer_simulation_page, answers_within_two_frames) {
  auto viewer = open();
  ASSERT_TRUE(settles(viewer));
  const auto now_label = viewer.find("Now");
  ASSERT_TRUE(now_label);
  const ImVec2 point_inside{now_label->x + 120, now_label->y + 100};
  EXPECT_LE(viewer.frames_until_change([&](auto& on) { on.mouse = point_inside; }), 2) << "the crosshair";
  viewer.frame(3);
  EXPECT_LE(viewer.frames_until_change([](auto& on) { on.wheel = 1; }), 2) << "zooms";
  viewer.frame(3);
  viewer.surface->buttons[0] = true;
  viewer.frame(3);
  EXPECT_LE(viewer.frames_until_change([&](auto& on) { on.mouse.x += 40; }), 2) << "moves";
  viewer.surface->buttons[0] = false;
  viewer.frame(3);
  EXPECT_LE(viewer.frames_until([](auto& on) { on.keys = {'P'}; }, [&] { return viewer.sees("Pause"); }), 2);
  viewer.surface->keys.clear();
  EXPECT_LE(viewer.frames_from_click("Pause", [&] { return viewer.sees("Play"); }), 2);
  EXPECT_LE(viewer.frames_from_click("Profile: row", [&] { return viewer.sees("Profile: column"); }), 2);
}

TEST_F(viewer_simulation_page, lets_the_device_be_chosen_and_says_why_another_cannot) {
  auto viewer = open();
  ASSERT_TRUE(settles(viewer));
  viewer.type(".");
  ASSERT_TRUE(at_step(viewer, 1));
  viewer.click(gs::to_string(gs::current_device()));
  EXPECT_TRUE(viewer.sees("cuda"));
  if (!gs::why_no_cuda().empty()) {
    EXPECT_TRUE(viewer.sees("A GPU can't be chosen: " + gs::why_no_cuda().substr(0, 16)));
    viewer.click("cuda");
    ASSERT_TRUE(settles(viewer));
    EXPECT_EQ(gs::current_device(), gs::device_kind::engine);
  }
  EXPECT_TRUE(at_step(viewer, 1)) << "nothing has begun anew";
}

TEST_F(viewer_simulation_page, chooses_while_it_goes_on) {
  auto viewer = open();
  ASSERT_TRUE(settles(viewer));
  viewer.type(".");
  ASSERT_TRUE(at_step(viewer, 1));
  viewer.click("add");
  viewer.click("double");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(at_step(viewer, 1)) << "a kernel is no new beginning";
  EXPECT_TRUE(viewer.sees("double"));
  const auto size = viewer.find("size");
  ASSERT_TRUE(size);
  viewer.click_at({size->x + 60, size->y});
  viewer.press('A', true);
  viewer.type("33");
  viewer.press(viewer::key_enter);
  EXPECT_TRUE(at_step(viewer, 0)) << "another size is one";
  EXPECT_TRUE(viewer.sees("double")) << "the kernel stays";
}

TEST_F(viewer_simulation_page, says_that_a_field_blows_up) {
  auto viewer = open();
  ASSERT_TRUE(settles(viewer));
  viewer.click("add");
  viewer.click("double");
  ASSERT_TRUE(settles(viewer));
  viewer.application.shown().go_on();  // ten steps: 1,024 times as large
  ASSERT_TRUE(at_step(viewer, 10));
  EXPECT_TRUE(viewer.sees("The field is blowing up: at step 10"));
  viewer.press('P');
  EXPECT_TRUE(viewer.until_sees("The field has blown up: 40 values are infinite or no numbers any more"));
  EXPECT_TRUE(viewer.sees("Play")) << "there is nothing more to see";
  viewer.press('R');
  ASSERT_TRUE(at_step(viewer, 0));
  EXPECT_FALSE(viewer.sees("blow")) << "anew";
}

TEST_F(viewer_simulation_page, refuses_a_wrong_number_while_it_is_typed) {
  auto viewer = open();
  ASSERT_TRUE(settles(viewer));
  viewer.type(".");
  ASSERT_TRUE(at_step(viewer, 1));
  const auto size = viewer.find("size");
  ASSERT_TRUE(size);
  viewer.click_at({size->x + 60, size->y});
  viewer.press('A', true);
  viewer.type("501");
  viewer.press(viewer::key_enter);
  viewer.frame(3);
  EXPECT_TRUE(viewer.sees("1 to 500")) << "the tip says why";
  EXPECT_TRUE(at_step(viewer, 1)) << "nothing has begun";
}

TEST_F(viewer_simulation_page, profile_follows_the_crosshair) {
  auto viewer = open();
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("Row 0"));
  viewer.click("Profile: row");
  EXPECT_TRUE(viewer.sees("Column 0"));
  const auto now_label = viewer.find("Now");
  ASSERT_TRUE(now_label);
  viewer.surface->mouse = {now_label->x + 200, now_label->y + 100};
  viewer.frame(3);
  EXPECT_FALSE(viewer.sees("Column 0"));
}

TEST_F(viewer_simulation_page, shows_each_time_in_its_own_colours_if_asked_to) {
  auto viewer = open();
  ASSERT_TRUE(settles(viewer));
  viewer.type(".");
  ASSERT_TRUE(at_step(viewer, 1));
  EXPECT_LE(viewer.frames_from_click("Colours: all times", [&] { return viewer.sees("Colours: each time"); }), 2);
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(at_step(viewer, 1)) << "nothing goes on by itself";
  EXPECT_EQ(viewer.application.remembered().text("simulation.colours"), "each time");
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(viewer_simulation_page, records_an_animation_where_it_is_told_to) {
  auto viewer = open();
  ASSERT_TRUE(settles(viewer));
  viewer.click("Record …");
  EXPECT_TRUE(viewer.sees("toy.gif")) << "a proposal";
  const fs::path file = folder_.path() / "grows.gif";
  viewer.press('A', true);
  viewer.type((folder_.path() / "grows.mp4").string());
  viewer.frame(2);
  EXPECT_TRUE(viewer.sees("Its name must end in .gif or .png."));
  viewer.press('A', true);
  viewer.type(file.string());
  viewer.press(viewer::key_enter);
  ASSERT_TRUE(viewer.until_sees("Stop recording"));
  for (int k = 1; k <= 3; ++k) {
    viewer.click("Step");
    ASSERT_TRUE(at_step(viewer, k));
  }
  viewer.click("Stop recording");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("Recorded 4 frames:"));
  const read_gif gif(file);
  EXPECT_EQ(gif.frames, 4) << "from the frame on that was there";
  EXPECT_EQ(gif.columns, 3 * 360);
  EXPECT_EQ(gif.delays, (std::vector<int>{5, 5, 5, 5}));
  EXPECT_NE(gif.pictures[0], gif.pictures[3]);
  EXPECT_EQ(gif.palette.size(), 256u);
}

TEST_F(viewer_simulation_page, records_every_frame_that_is_played) {
  auto viewer = open();
  ASSERT_TRUE(settles(viewer));
  viewer.click("Record …");
  viewer.press('A', true);
  viewer.type((folder_.path() / "grows.png").string());
  viewer.press(viewer::key_enter);
  ASSERT_TRUE(viewer.until_sees("Stop recording"));
  viewer.press('P');
  const fs::path tenth = folder_.path() / "grows-0010.png";
  ASSERT_TRUE(viewer.until([&] { return fs::exists(tenth); }));
  viewer.press('P');
  viewer.click("Stop recording");
  ASSERT_TRUE(settles(viewer));
  for (int n = 1; n <= 10; ++n) {
    const fs::path picture = folder_.path() / fmt::format("grows-{:04}.png", n);
    EXPECT_TRUE(content_of(picture).starts_with("\x89PNG")) << picture;
  }
  EXPECT_NE(content_of(folder_.path() / "grows-0001.png"), content_of(tenth));
}

TEST_F(viewer_simulation_page, ends_a_recording_when_it_begins_anew) {
  auto viewer = open();
  ASSERT_TRUE(settles(viewer));
  viewer.click("Record …");
  viewer.press('A', true);
  viewer.type((folder_.path() / "grows.gif").string());
  viewer.press(viewer::key_enter);
  ASSERT_TRUE(viewer.until_sees("Stop recording"));
  viewer.click("Reset");
  EXPECT_TRUE(viewer.until_sees("Recorded 1 frame:"));
  EXPECT_TRUE(viewer.sees("Record …"));
  EXPECT_EQ(read_gif(folder_.path() / "grows.gif").frames, 1);
}

TEST(viewer_simulation_recording, says_why_nothing_can_be_written) {
  const temporary_folder folder;
  const auto frame = std::make_shared<viewer::simulation_frame>();
  frame->fields.push_back(std::make_shared<const workbook::plot>(
      workbook::heat_map{.title = "Field", .rows = 1, .columns = 2, .values = {0, 1}}));
  for (const auto& [name, sentence] :
       {std::pair{"none/a.gif", "writing the animation "}, {"none/a.png", "writing the picture "}}) {
    std::mutex mutex;
    std::condition_variable woken;
    viewer::simulation_recording recording({.file = folder.path() / name}, [&] {
      const std::lock_guard lock(mutex);
      woken.notify_all();
    });
    recording.add(frame);
    std::unique_lock lock(mutex);
    ASSERT_TRUE(woken.wait_for(lock, std::chrono::minutes(1), [&] { return recording.state().ended; }));
    EXPECT_EQ(recording.state().frames, 0u);
    EXPECT_TRUE(recording.state().problem.starts_with(sentence + (folder.path() / "none").string()))
        << recording.state().problem;
    EXPECT_TRUE(recording.has_room()) << "nobody waits for it";
  }
  EXPECT_EQ(viewer::numbered_picture("a/wave.png", 12), "a/wave-0012.png");
}

TEST_F(viewer_simulation_page, opens_a_lesson_that_was_built_again) {
  auto viewer = open();
  ASSERT_TRUE(settles(viewer));
  viewer.click("add");
  viewer.click("double");
  build_again();
  EXPECT_TRUE(viewer.until_sees("A toy that was built again"));
  EXPECT_TRUE(viewer.sees("double")) << "with the values that were chosen";
  EXPECT_TRUE(at_step(viewer, 0));
}

TEST_F(viewer_simulation_page, a_half_written_module_is_a_sentence_until_it_is_whole) {
  auto viewer = open();
  ASSERT_TRUE(settles(viewer));
  fs::remove(lessons_ / "97_toy.so");
  fs::copy_file(TOY_SIMULATION_1, lessons_ / "97_toy.so");
  fs::resize_file(lessons_ / "97_toy.so", 1000);
  fs::last_write_time(lessons_ / "97_toy.so", fs::file_time_type::clock::now() - std::chrono::seconds(1));
  EXPECT_TRUE(viewer.until_sees("or not a whole one"));
  build_again();
  EXPECT_TRUE(viewer.until_sees("A toy that was built again"));
}

TEST_F(viewer_simulation_page, says_what_fails_and_begins_again) {
  auto viewer = open();
  ASSERT_TRUE(settles(viewer));
  viewer.click("no");
  viewer.click("step");
  ASSERT_TRUE(settles(viewer));
  viewer.type(".");
  EXPECT_TRUE(viewer.until_sees("the toy's step: it was told to fail"));
  EXPECT_TRUE(viewer.sees("Play")) << "the page is still there";
}

TEST_F(viewer_simulation_page, is_shown_what_it_is_asked_for) {
  fs::copy_file(TOY_SIMULATION_2, lessons_ / "98_other.so");  // of the same number and name: the module tells
  auto viewer = open();
  viewer.application.open("Simulation", "97_toy size=7 rate=2");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("7"));
  viewer.application.open("Simulation", "55");
  viewer.frame(3);
  EXPECT_TRUE(viewer.sees("A toy")) << "what is no simulation changes nothing";
  EXPECT_TRUE(viewer.sees("Lesson 55 has no simulation."));
}

TEST_F(viewer_simulation_page, shows_no_other_lesson_than_the_one_asked_for) {
  auto viewer = open_another_page();
  viewer.application.open("Simulation", "55 size=7");
  ASSERT_TRUE(viewer.until_sees("Lesson 55 has no simulation."));
  EXPECT_FALSE(viewer.application.shown().busy()) << "a picture of it would wait for a simulation that never begins";
  EXPECT_FALSE(viewer.sees("A toy"));
  viewer.click("choose one");
  viewer.click("97 toy");
  ASSERT_TRUE(settles(viewer));
  EXPECT_TRUE(viewer.sees("A toy that grows"));
  EXPECT_FALSE(viewer.sees("has no simulation"));
}

TEST_F(viewer_simulation_page, cuts_no_lesson_s_name) {
  fs::copy_file(TOY_SIMULATION_3, lessons_ / "97_toy_with_a_name_longer_than_most.so");
  for (const ImVec2 size : {ImVec2(1280, 900), ImVec2(480, 600)}) {
    auto viewer = open(size);
    ASSERT_TRUE(settles(viewer));
    viewer.application.open("Simulation", "toy_with_a_name_longer_than_most");
    ASSERT_TRUE(settles(viewer));
    EXPECT_TRUE(viewer.sees_all_of("97 toy_with_a_name_longer_than_most")) << "in a window of " << size.x;
  }
}

TEST_F(viewer_simulation_page, without_a_simulation_says_how_to_get_one) {
  fs::remove(lessons_ / "97_toy.so");
  auto viewer = open();
  EXPECT_TRUE(viewer.until_sees("./gridstride view 26"));
  EXPECT_FALSE(viewer.application.shown().busy());
}

TEST_F(viewer_simulation_page, fits_into_every_window) {
  for (const ImVec2 size : {ImVec2(200, 150), ImVec2(420, 300), ImVec2(700, 2000), ImVec2(5120, 2880)}) {
    auto viewer = open(size);
    ASSERT_TRUE(settles(viewer));
    viewer.application.shown().go_on();
    ASSERT_TRUE(settles(viewer));
  }
}

}  // namespace
