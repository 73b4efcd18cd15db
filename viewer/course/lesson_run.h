#pragma once
// One run of a lesson: its program as a child, and its report as it comes in.

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "viewer/child.h"
#include "workbook/stream/report_stream.h"

namespace viewer {

enum class run_stage { running, finished, failed, cancelled };

/// The state of a run at one moment. Items are shared, so a copy is cheap however large the plots are.
struct run_state {
  run_stage stage = run_stage::running;
  std::optional<workbook::run_description> about = {};
  std::vector<std::shared_ptr<const workbook::item>> items = {};
  double fraction = 0;       ///< of the work that is done, if the lesson reports it
  std::string doing = {};    ///< its current activity
  std::string message = {};  ///< why it failed, in a sentence
  std::string output = {};   ///< what the program printed, its last 64 KiB
  double seconds = 0;        ///< since it began, until it ended
};

class lesson_run {
 public:
  /// What is run: words that make a lesson's program send its report to descriptor 3, then the reader's options.
  struct command {
    std::vector<std::string> words;
    std::vector<std::string> options;
  };
  /// A lesson's program.
  static command of_program(const std::filesystem::path& program, std::vector<std::string> options);

  /// Starts it. `changed` is called from a thread whenever state() has something new. Throws gs::machine_error if it
  /// can't be started.
  lesson_run(const command& program, std::function<void()> changed);
  ~lesson_run();  ///< cancels it

  run_state state() const;
  bool running() const;
  const std::vector<std::string>& options() const { return options_; }
  void cancel();

 private:
  void take_output(std::string_view text);
  void take(std::string_view bytes);
  void end(int status);

  using clock = std::chrono::steady_clock;
  const std::vector<std::string> options_;
  const std::function<void()> changed_;
  const clock::time_point began_ = clock::now();
  workbook::report_receiver receiver_;  // the child's thread alone uses it
  mutable std::mutex mutex_;            // of what follows
  run_state state_;
  bool cancelled_ = false;
  child child_;  // last: its thread ends before anything else goes
};

}  // namespace viewer
