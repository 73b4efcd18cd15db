#include "programs/watch_program.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <variant>

#include "exercises/watch_events.h"
#include "programs/build_program.h"
#include "programs/child_program.h"
#include "programs/ending_text.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "workbook/terminal/terminal.h"
#include "workbook/terminal/text_frame.h"
#include "workshop/source_file.h"

namespace programs {
namespace {

namespace fs = std::filesystem;

constexpr int quiet_milliseconds = 50;  // an editor's several writes are one save

class watching {
 public:
  explicit watching(program_files files) : files_(std::move(files)), events_(files_.sources.front().parent_path()) {
    events_.watch_all([this](const std::string& name) {
      return workshop::is_header_name(name) ||
             std::ranges::any_of(files_.sources, [&](const fs::path& source) { return source.filename() == name; });
    });
  }

  void run() {
    bool is_due = true;
    while (!ended()) {
      if (is_due)
        is_due = build_and_run();
      else if (const auto key = events_.take_key())
        press(*key, is_due);
      else if (events_.input_ended())
        return say_that_input_ended();
      else
        events_.wait(-1);
      if (events_.take_saved()) is_due = true;
      if (events_.folder_gone())
        throw gs::error("watch " + gs::detail::printable(files_.shown.string()), "the folder is gone", "begin again");
    }
  }

 private:
  bool ended() const { return quits_ || events_.asked_to_end(); }

  void press(char key, bool& is_due) {
    if (key == 'q') quits_ = true;
    if (key == 'r') is_due = true;
  }

  // Whether to build again, because a file was saved meanwhile.
  bool build_and_run() {
    const workbook::terminal t = workbook::detect_terminal(STDOUT_FILENO);
    do events_.wait(quiet_milliseconds);
    while (events_.take_saved() && !ended());
    if (t.interactive) say("\033[H\033[2J\033[3J");
    const workshop::interruption by{.descriptor = events_.descriptor(), .happened = [&] {
                                      events_.take();
                                      return calls_away();
                                    }};
    try {
      const auto result = build_program(files_, workshop::flavour::plain, by);
      if (std::holds_alternative<build_interrupted>(result)) return events_.take_saved();
      if (const auto* failure = std::get_if<build_failure>(&result)) {
        say(failure->text);
      } else {
        const auto& program = std::get<built_program>(result);
        fmt::print(stderr, "{}", program.left_out);
        if (!run(program)) return events_.take_saved();
      }
    } catch (const gs::machine_error&) {
      throw;
    } catch (const gs::error& e) {       // the file can't be read now, or has no main yet
      if (events_.input_ended()) throw;  // and nobody is there to mend it
      say(gs::detail::printable(std::string(e.what())) + "\n");
    }
    if (t.interactive) say(workbook::dimmed("\nr again   q quit\n", t));
    return false;
  }

  bool calls_away() const { return events_.saved() || events_.has_key('q') || ended(); }

  // Returns whether the program ran to its end.
  bool run(const built_program& program) {
    child_program child({.program = program.product.file,
                         .name = files_.name,
                         .arguments = files_.arguments,
                         .variables = {{"GRIDSTRIDE_PROGRAM_FILE", files_.shown.string()}},
                         .in_background = true});
    std::array<pollfd, 2> waited{{{child.descriptor(), POLLIN, 0}, {events_.descriptor(), POLLIN, 0}}};
    while (!child.ended()) {
      poll(waited.data(), events_.input_ended() ? 1 : waited.size(), -1);
      events_.take();
      if (calls_away()) return false;
    }
    const std::string text = ending_text(child.status(), files_);
    say(text.empty() && child.status() != 0 ? fmt::format("It ended with status {}.\n", child.status()) : text);
    return true;
  }

  // Without a keyboard, nobody could end it.
  void say_that_input_ended() const {
    fmt::print(stderr,
               "The standard input has ended, and with it the watch: {} was run as it is now. On a terminal it goes on "
               "until q.\n",
               gs::detail::printable(files_.shown.string()));
  }

  static void say(const std::string& text) {
    fmt::print("{}", text);
    std::fflush(stdout);
  }

  program_files files_;
  exercises::watch_events events_;
  bool quits_ = false;
};

}  // namespace

void watch_program(const program_files& files) { watching(files).run(); }

}  // namespace programs
