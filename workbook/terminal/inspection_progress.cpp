#include "workbook/terminal/inspection_progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/timing/timeit.h"

namespace workbook {
namespace {

constexpr double long_seconds = 60;

}  // namespace

std::optional<double> expected_launch_seconds(const gs::inspect_progress& progress) {
  if (progress.launch_seconds < 1 || progress.blocks_done == 0) return {};
  return progress.launch_seconds * static_cast<double>(progress.blocks) / static_cast<double>(progress.blocks_done);
}

void inspection_progress::lesson(double fraction, std::string_view activity) {
  const std::lock_guard lock(mutex_);
  fraction_ = fraction;
  activity_ = activity;
  bar_.set(fraction, activity);
}

void inspection_progress::instruments(const gs::inspect_progress& progress) {
  const std::lock_guard lock(mutex_);
  const std::optional<double> launch = expected_launch_seconds(progress);
  // The lesson's own share speaks for all of it, a launch's blocks for that launch.
  const bool whole = fraction_ > 0;
  const double done = whole ? fraction_
                      : progress.blocks > 0
                          ? static_cast<double>(progress.blocks_done) / static_cast<double>(progress.blocks)
                          : -1;
  std::string activity = whole ? activity_ : std::string(progress.kernel);
  activity += fmt::format("{}{:.0f} million accesses", activity.empty() ? "" : ", ",
                          static_cast<double>(progress.accesses) / 1e6);
  bar_.set(done, activity);

  constexpr double patience_seconds = 20;
  const bool running = !progress.kernel.empty();  // between launches there is no block to wait for
  if (!warned_ && running && progress.blocks_done == 0 && progress.launch_seconds > patience_seconds) {
    warned_ = true;
    bar_.say(
        fmt::format("{}: the first block of {} has not ended after {:.0f} s and {:.0f} million accesses; does every "
                    "loop in it end?",
                    name_, progress.kernel, progress.launch_seconds, static_cast<double>(progress.accesses) / 1e6));
  }
  const double expected = std::max(launch.value_or(0), whole ? progress.seconds / fraction_ : 0);
  if (warned_ || progress.seconds < 1 || expected < long_seconds) return;
  warned_ = true;
  bar_.say(
      fmt::format("{}: inspecting {} will take about {}, at {:.1f} million accesses a second; smaller parameters "
                  "(see --help) show the same lines sooner.",
                  name_, whole ? "it" : progress.kernel, gs::detail::format_seconds(expected),
                  static_cast<double>(progress.accesses) / progress.seconds / 1e6));
}

}  // namespace workbook
