#include "viewer/course/file_watch.h"

#include <chrono>

namespace viewer {
namespace {

using namespace std::chrono_literals;

// A file system's clock ticks every few milliseconds: two changes within a tick have the same time. A change is
// reported when its tick is over.
constexpr auto longest_tick = 50ms;

}  // namespace

file_watch::file_watch(std::filesystem::path file, std::function<void()> changed) : file_(std::move(file)) {
  // Read here and not in the thread, which may start late: every change from now on counts.
  std::error_code none;
  auto last = std::filesystem::last_write_time(file_, none);
  thread_ = std::thread([this, last, changed = std::move(changed)]() mutable {
    std::error_code problem;
    while (!stop_) {
      std::this_thread::sleep_for(100ms);
      auto now = std::filesystem::last_write_time(file_, problem);
      if (problem || now == last) continue;
      do {
        last = now;
        std::this_thread::sleep_for(longest_tick);
        now = std::filesystem::last_write_time(file_, problem);
      } while (!problem && now != last && !stop_);
      seen_ = true;
      changed();
    }
  });
}

file_watch::~file_watch() {
  stop_ = true;
  thread_.join();
}

}  // namespace viewer
