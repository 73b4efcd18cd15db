#pragma once
// What the sources of NVIDIA's cuda-samples take from their helper_timer.h: a watch of the host, in milliseconds. The
// names are theirs.

#include <chrono>

class StopWatchInterface {
 public:
  void start() {
    begin_ = clock::now();
    runs_ = true;
  }
  void stop() {
    if (runs_) total_ += since_start(), ++times_;
    runs_ = false;
  }
  void reset() {
    total_ = 0, times_ = 0;
    begin_ = clock::now();
  }
  /// What has passed between start and stop, all together, and until now if it runs.
  float getTime() const { return static_cast<float>(total_ + (runs_ ? since_start() : 0)); }
  float getAverageTime() const { return times_ > 0 ? static_cast<float>(total_ / times_) : 0; }

 private:
  using clock = std::chrono::steady_clock;
  double since_start() const { return std::chrono::duration<double, std::milli>(clock::now() - begin_).count(); }

  clock::time_point begin_ = {};
  double total_ = 0;
  int times_ = 0;
  bool runs_ = false;
};
using StopWatchLinux = StopWatchInterface;

// Each says whether there is a watch.
inline bool sdkCreateTimer(StopWatchInterface** watch) { return (*watch = new StopWatchInterface) != nullptr; }
inline bool sdkDeleteTimer(StopWatchInterface** watch) {
  delete *watch;
  *watch = nullptr;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface** watch) { return *watch && ((*watch)->start(), true); }
inline bool sdkStopTimer(StopWatchInterface** watch) { return *watch && ((*watch)->stop(), true); }
inline bool sdkResetTimer(StopWatchInterface** watch) { return *watch && ((*watch)->reset(), true); }
inline float sdkGetTimerValue(StopWatchInterface** watch) { return *watch ? (*watch)->getTime() : 0; }
inline float sdkGetAverageTimerValue(StopWatchInterface** watch) { return *watch ? (*watch)->getAverageTime() : 0; }
