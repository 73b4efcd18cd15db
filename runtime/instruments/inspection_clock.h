#pragma once
// inspection_clock: how long an inspection takes, and how far it is.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "runtime/core/config.h"
#include "runtime/observe/observe.h"

#if GRIDSTRIDE_CHECKED

#include "runtime/instruments/observing/observation.h"

namespace gs::inline GS_FLAVOUR::instruments {

class inspection_clock {
 public:
  void begin_inspection() { started_ = clock::now(); }
  /// `runs`: how often it is to run.
  void begin_launch(unsigned runs) {
    launch_started_ = clock::now();
    blocks_entered_ = 0;
    runs_ = runs;
  }
  void enter_block() { ++blocks_entered_; }
  double seconds() const { return seconds_since(started_); }
  /// Tells inspect_options::on_progress, about ten times a second.
  void tell(const observation& observed) {
    if (!observed.options.on_progress) return;
    const auto now = clock::now();
    if (now - last_told_ < std::chrono::milliseconds(100)) return;
    last_told_ = now;
    const timeline::work_record& work = observed.time.work();
    observed.options.on_progress({.seconds = seconds(),
                                  .accesses = observed.accesses,
                                  .kernel = work.kernel,
                                  .launch_seconds = seconds_since(launch_started_),
                                  .blocks_done = std::max<std::uint64_t>(blocks_entered_, 1) - 1,
                                  .blocks = work.grid.size() * runs_});
  }

 private:
  using clock = std::chrono::steady_clock;
  static double seconds_since(clock::time_point start) {
    return std::chrono::duration<double>(clock::now() - start).count();
  }

  clock::time_point started_, launch_started_, last_told_;
  std::uint64_t blocks_entered_ = 0;
  unsigned runs_ = 1;
};

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
