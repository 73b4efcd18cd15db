#include "exercises/watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <optional>

#include "exercises/check/check_exercise.h"
#include "exercises/learner_text.h"
#include "exercises/result/result_text.h"
#include "exercises/watch_events.h"
#include "runtime/core/error.h"
#include "workbook/command_name.h"
#include "workbook/exercise/learner_folder.h"
#include "workbook/exercise/next_exercise.h"
#include "workbook/terminal/text_frame.h"
#include "workbook/terminal/text_layout.h"

namespace exercises {
namespace {

namespace fs = std::filesystem;
using workbook::catalogue_exercise, workbook::exercise_state;

constexpr int quiet_milliseconds = 50;  // an editor's several writes are one save

class watching {
 public:
  watching(catalogue_exercise exercise, workshop::isolation level)
      : exercise_(std::move(exercise)), level_(level), events_((begin(exercise_), workbook::my_folder())) {
    events_.watch(file().filename().string());
  }

  void run() {
    check_is_due_ = true;
    while (!ended()) {
      if (check_is_due_)
        check();
      else if (const auto key = events_.take_key())
        press(*key);
      else if (events_.input_ended())
        return say_that_input_ended();
      else
        events_.wait(-1);
      if (events_.take_saved()) check_is_due_ = true;
      if (events_.folder_gone())
        throw gs::error("watching " + shown_path(workbook::my_folder()), "the folder is gone", "begin again");
    }
  }

 private:
  fs::path file() const { return workbook::learner_file(exercise_); }
  bool ended() const { return quits_ || events_.asked_to_end(); }

  void check() {
    const workbook::terminal t = workbook::detect_terminal(STDOUT_FILENO);
    // A file that is still being written isn't saved yet.
    do events_.wait(quiet_milliseconds);
    while (events_.take_saved() && !ended());
    check_is_due_ = false;
    if (t.interactive) say("\033[H\033[2J\033[3J");
    if (!fs::exists(file())) {
      say(workbook::wrap(fmt::format("{} is gone. Save it again, or leave (q) and begin anew: {} reset {}",
                                     shown_path(file()), workbook::course_command_name(), to_string(exercise_.id())),
                         t.width));
      return;
    }
    if (t.interactive) say(workbook::dimmed(fmt::format("Checking {} ...", shown_path(file())), t));
    const workshop::interruption by{.descriptor = events_.descriptor(), .happened = [&] {
                                      events_.take();
                                      return events_.saved() || events_.has_key('q') || ended();
                                    }};
    std::optional<exercise_result> result;
    try {
      result = check_exercise(exercise_, file(), {.level = level_, .seed = seed_for(exercise_), .by = by});
    } catch (const gs::machine_error&) {
      throw;
    } catch (const gs::error& e) {  // the file can't be read now; it may be later
      say(fmt::format("{}{}\n", t.interactive ? "\r\033[K" : "", e.what()));
      return;
    }
    if (!result) {
      if (t.interactive) say("\r\033[K");
      if (events_.take_saved()) check_is_due_ = true;
      return;
    }
    if (result->passed()) advance(exercise_, exercise_state::passed);
    say((t.interactive ? "\r\033[K" : "") + to_text(*result, t) + keys());
  }

  void press(char key) {
    const workbook::terminal t = workbook::detect_terminal(STDOUT_FILENO);
    switch (key) {
      case 'q':
        quits_ = true;
        return;
      case 'r':
        check_is_due_ = true;
        return;
      case 'h':
        return say("\n" + to_text(next_hints(exercise_), t));
      case 's':
        if (state_of(exercise_) != exercise_state::passed) advance(exercise_, exercise_state::skipped);
        return say(fmt::format("\n{} is {}. n goes on.\n", exercise_.label(), to_string(state_of(exercise_))));
      case 'n':
        return go_on();
      default:
        return;
    }
  }

  void go_on() {
    if (state_of(exercise_) < exercise_state::skipped)
      return say(fmt::format("\n{} has not passed yet: h gives a hint, s skips it.\n", exercise_.label()));
    const auto exercises = workbook::exercises_of(the_course());
    const catalogue_exercise* next =
        workbook::following_exercise(exercises, workbook::read_progress(workbook::progress_file()), exercise_.id());
    if (!next)
      return say(fmt::format("\nNone is left. The assessments come next: {} grade\n", workbook::course_command_name()));
    exercise_ = *next;
    begin(exercise_);
    events_.watch(file().filename().string());
    check_is_due_ = true;
  }

  // Without a keyboard, nobody could end it.
  void say_that_input_ended() const {
    fmt::print(
        stderr, "{}",
        workbook::wrap(fmt::format("The standard input has ended, and with it the watch: {} was checked as it is "
                                   "now. On a terminal it goes on until q.",
                                   shown_path(file())),
                       workbook::detect_terminal(STDERR_FILENO).width));
  }

  std::string keys() const {
    const bool may_go_on = state_of(exercise_) >= exercise_state::skipped;
    const workbook::terminal t = workbook::detect_terminal(STDOUT_FILENO);
    const std::string text =
        fmt::format("\n{}h hint   r again   {}q quit\n", may_go_on ? "n next   " : "", may_go_on ? "" : "s skip   ");
    return t.interactive ? workbook::dimmed(text, t) : "";
  }

  static void say(const std::string& text) {
    fmt::print("{}", text);
    std::fflush(stdout);
  }

  catalogue_exercise exercise_;
  workshop::isolation level_;
  watch_events events_;
  bool check_is_due_ = false, quits_ = false;
};

}  // namespace

int watch(catalogue_exercise exercise, workshop::isolation level) {
  watching(std::move(exercise), level).run();
  return 0;
}

}  // namespace exercises
