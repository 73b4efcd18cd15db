#include "viewer/application/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>

#include "runtime/core/error.h"
#include "viewer/application/application.h"
#include "viewer/keys.h"
#include "viewer/pages/all_pages.h"
#include "viewer/pages/simulation_runner.h"
#include "viewer/window/glfw_window.h"
#include "viewer/window/offscreen.h"
#include "workbook/catalogue.h"
#include "workbook/command/command_frame.h"
#include "workbook/command/exit_status.h"
#include "workbook/exercise/learner_folder.h"

namespace viewer {
namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

constexpr const char* program = "gridstride-view";
constexpr double longest_settling = 120;  // seconds to wait until a picture is complete

struct viewer_options {
  std::string lesson, page, render, size = "1280x720", theme;
  std::vector<std::string> values;
  own_program own;         // without a name: the course
  unsigned ranks = 0;      // of the lesson; 0: a process without any
  std::string own_folder;  // where it is built
  double scale = 0, measure = 0;
  std::size_t frames = 0;
};

double seconds_since(clock::time_point begin) { return std::chrono::duration<double>(clock::now() - begin).count(); }

// Processor time: on a busy machine it says more than wall-clock time.
double seconds_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

application::places folders_of(const viewer_options& options) {
  application::places folders;
  folders.checkout = workbook::checkout_root();
  if (!options.own.name.empty()) {
    folders.own = options.own;
    folders.root = folders.build = folders.my = options.own_folder;
    return folders;
  }
  folders.root = workbook::course_root();
  folders.build = workbook::course_build(fs::read_symlink("/proc/self/exe").parent_path().parent_path());
  folders.my = fs::absolute(workbook::my_folder());
  return folders;
}

// The file of the settings; empty if there is no home folder.
fs::path settings_file() {
  for (const auto& [variable, below] : {std::pair{"GRIDSTRIDE_CONFIG", ""}, std::pair{"HOME", ".config/gridstride"}})
    if (const char* value = std::getenv(variable); value != nullptr && *value != '\0')
      return fs::path(value) / below / "viewer.txt";
  return {};
}

std::pair<int, int> read_size(const std::string& text) {
  int columns = 0, rows = 0, end = 0;
  if (std::sscanf(text.c_str(), "%dx%d%n", &columns, &rows, &end) != 2 || end != static_cast<int>(text.size()) ||
      columns < 1 || rows < 1 || columns > 16384 || rows > 16384)
    throw gs::error("--size " + text, "that is no size", "give columns x rows in pixels, 1 to 16384: --size 1280x720");
  return {columns, rows};
}

application::look look_of(const viewer_options& options) {
  application::look look;
  if (options.theme == "dark") look.brightness = brightness::dark;
  if (options.theme == "light") look.brightness = brightness::light;
  if (options.scale > 0) look.scale = static_cast<float>(options.scale);
  return look;
}

workbook::catalogue_entry lesson_of(const viewer_options& options, const application::places& folders) {
  return workbook::find_lesson(workbook::read_catalogue(folders.root / "lessons", folders.build / "lessons"),
                               options.lesson);
}

// "06_gaussian_pdf size=1000": what pages are to show; empty if nothing was asked for.
std::string subject_of(const viewer_options& options, const application::places& folders) {
  std::string subject;
  if (folders.own) {
    subject = "program";
  } else if (!options.lesson.empty()) {
    subject = lesson_of(options, folders).program();
  }
  if (!subject.empty())
    for (const auto& value : options.values) subject += ' ' + value;
  return subject;
}

// Opens the page and the lesson that were asked for. Throws gs::error if there is no such page or lesson.
void open_page(application& viewer, const viewer_options& options, const application::places& folders) {
  const std::string subject = subject_of(options, folders);
  if (!options.page.empty()) {
    if (!viewer.open(options.page, subject))
      throw gs::error("--page " + options.page, "there is no such page",
                      fmt::format("choose one of {}", fmt::join(viewer.titles(), ", ")));
  } else if (!subject.empty()) {
    viewer.open(viewer.titles().front(), subject);
  }
}

std::vector<std::unique_ptr<page>> pages_for(const application::places& folders) {
  return folders.own ? pages_of_program() : all_pages();
}

// Draws until the page is complete. False if that takes too long.
bool settle(application& viewer, surface& on) {
  const auto begin = clock::now();
  for (int quiet = 0; quiet < 3;) {
    viewer.draw_frame();
    if (!viewer.shown().busy()) {
      ++quiet;
      continue;
    }
    quiet = 0;
    if (seconds_since(begin) > longest_settling) return false;
    on.wait(0.02);
  }
  return true;
}

int render(const viewer_options& options, const application::places& folders) {
  if (!std::ofstream(options.render, std::ios::app))
    throw gs::error("--render " + options.render, "the file can't be written",
                    "give one in a folder that you may write to");
  const auto [columns, rows] = read_size(options.size);
  offscreen on({static_cast<float>(columns), static_cast<float>(rows)});
  application viewer(on, pages_for(folders), folders, look_of(options));
  open_page(viewer, options, folders);
  bool settled = settle(viewer, on);
  for (std::size_t k = 0; settled && k < options.frames; ++k) {
    viewer.shown().go_on();
    settled = settle(viewer, on);
  }
  write_png(on.picture(), options.render);
  if (settled) return workbook::exit_fine;
  fmt::print(stderr, "The picture isn't complete: the page {} was still busy after {} s.\n", viewer.shown().title(),
             longest_settling);
  return workbook::exit_failed;
}

// Plays for a while and prints how fast that was, as one JSON object.
int measure(const viewer_options& options, const application::places& folders, clock::time_point started) {
  const auto [columns, rows] = read_size(options.size);
  offscreen on({static_cast<float>(columns), static_cast<float>(rows)});
  application viewer(on, pages_for(folders), folders, look_of(options));
  open_page(viewer, options, folders);
  viewer.draw_frame();
  on.finish();
  const double first = seconds_since(started);
  settle(viewer, on);
  const double complete = seconds_since(started);
  on.keys = {'P'};
  viewer.draw_frame();
  on.keys.clear();
  std::size_t frames = 0;
  const double all_threads = seconds_of(CLOCK_PROCESS_CPUTIME_ID), this_thread = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  const auto begin = clock::now();
  while (seconds_since(begin) < options.measure) {
    viewer.wait();
    viewer.draw_frame();
    on.finish();
    ++frames;
  }
  const double seconds = seconds_since(begin), n = static_cast<double>(frames);
  fmt::print(
      R"({{"seconds_to_first_picture": {:.4f}, "seconds_to_whole_page": {:.4f}, "frames": {}, "seconds": {:.4f}, )"
      R"("frames_per_second": {:.2f}, "processor_seconds_per_frame": {:.5f}, )"
      R"("of_the_drawing_thread": {:.5f}, "status": "{}"}})"
      "\n",
      first, complete, frames, seconds, n / seconds, (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - all_threads) / n,
      (seconds_of(CLOCK_THREAD_CPUTIME_ID) - this_thread) / n, viewer.status());
  return workbook::exit_fine;
}

int show(const viewer_options& options, application::places folders) {
  folders.settings = settings_file();
  settings remembered(folders.settings);
  const auto size_of = [&](const char* name, double otherwise) {
    return static_cast<int>(std::clamp(remembered.number(name, otherwise), 200.0, 16384.0));
  };
  glfw_window window("Gridstride", size_of("window_width", 1280), size_of("window_height", 720),
                     remembered.text("window") == "maximized");
  application viewer(window, pages_for(folders), folders, look_of(options));
  open_page(viewer, options, folders);
  while (!window.closed() && !viewer.wants_to_close()) {
    viewer.draw_frame();
    viewer.wait();
  }
  viewer.remembered().set("window_width", std::round(window.ordinary_size().x));
  viewer.remembered().set("window_height", std::round(window.ordinary_size().y));
  viewer.remembered().set("window", window.maximized() ? "maximized" : "ordinary");
  return workbook::exit_fine;
}

// Throws gs::error where nothing is named that could run as ranks.
std::optional<lesson_on_ranks> ranks_asked_for(const viewer_options& options, const application::places& folders) {
  if (options.ranks == 0) return {};
  if (options.lesson.empty())
    throw gs::error("--ranks", "no lesson is named that runs as ranks", "name one: ./gridstride view 41 --ranks 4");
  return lesson_on_ranks{.program = lesson_of(options, folders).program(), .ranks = options.ranks};
}

int run(const viewer_options& options, clock::time_point started) {
  auto folders = folders_of(options);
  folders.on_ranks = ranks_asked_for(options, folders);
  if (options.measure > 0) return measure(options, folders, started);
  return options.render.empty() ? show(options, folders) : render(options, folders);
}

}  // namespace

int command(int argc, char** argv) {
  const auto started = clock::now();
  viewer_options options;
  CLI::App app("The viewer: browse the course, run lessons, watch simulations.", "./gridstride view");
  app.add_option("LESSON", options.lesson, "a lesson's number or name: 26");
  app.add_option("--page", options.page, "the page to show");
  app.add_option("--ranks", options.ranks, "run the lesson as so many processes over MPI")->check(CLI::Range(1, 4096));
  app.add_option("--set", options.values, "NAME=VALUE: a parameter of the lesson")->allow_extra_args(false);
  app.add_option("--render", options.render, "draw the page into this PNG file, without a window");
  app.add_option("--size", options.size, "size of the picture in pixels")->capture_default_str();
  app.add_option("--frames", options.frames, "frames that a simulation plays before the picture is taken")
      ->check(CLI::Range(std::size_t{0}, std::size_t{1'000'000}));
  app.add_option("--scale", options.scale, "pixels per point [as the monitor asks for]")->check(CLI::Range(0.25, 8.0));
  app.add_option("--theme", options.theme, "light or dark [as last time]")->check(CLI::IsMember({"light", "dark"}));
  app.add_option("--measure", options.measure,
                 "play for this many seconds without a window, and print how fast that was")
      ->check(CLI::Range(0.1, 600.0));
  const auto by_program_command = [&](const char* name, auto& value, const char* meaning) {  // not typed by hand
    app.add_option(name, value, meaning)->group("");
  };
  by_program_command("--program", options.own.name, "a program of the reader's own, instead of the course");
  by_program_command("--program-folder", options.own_folder, "its program and module are in lessons/ there");
  by_program_command("--source", options.own.sources, "one of its sources");
  by_program_command("--named", options.own.words, "a word that names it in a command");
  by_program_command("--builder", options.own.builder, "the program that builds it again");
  if (const auto status = workbook::parse_words(app, argc, argv, program)) return *status;
  const int status = workbook::run_command(program, [&] { return run(options, started); });
  if (simulation_runner::abandoned()) {  // a thread still uses what the end of the program would destroy
    std::fflush(nullptr);
    std::_Exit(status);
  }
  return status;
}

}  // namespace viewer
