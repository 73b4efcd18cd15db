#pragma once
// How far an inspected lesson is: on the progress bar, and as one sentence where it will take over a minute.

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/instruments/inspect.h"
#include "workbook/terminal/progress_bar.h"

namespace workbook {

/// Joins what the lesson says with what the instruments say. Both may be called from any thread.
class inspection_progress {
 public:
  /// `name` is the lesson's program.
  inspection_progress(progress_bar& bar, std::string name) : bar_(bar), name_(std::move(name)) {}

  void lesson(double fraction, std::string_view activity);
  void instruments(const gs::inspect_progress& progress);

 private:
  progress_bar& bar_;
  std::string name_;
  std::mutex mutex_;
  double fraction_ = -1;  // of the lesson; below 0: it didn't say
  std::string activity_;
  bool warned_ = false;
};

/// Seconds that the launch which runs now takes in all, by the blocks it has done. Nothing until it has run for a
/// second.
std::optional<double> expected_launch_seconds(const gs::inspect_progress& progress);

}  // namespace workbook
