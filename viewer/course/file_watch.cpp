#include "viewer/course/file_watch.h"

#include <chrono>

namespace viewer {

file_watch::file_watch(std::filesystem::path file, std::function<void()> changed)
    : thread_([this, file = std::move(file), changed = std::move(changed)] {
        std::error_code none;
        auto last = std::filesystem::last_write_time(file, none);
        while (!stop_) {
          std::this_thread::sleep_for(std::chrono::milliseconds(100));
          const auto now = std::filesystem::last_write_time(file, none);
          if (none || now == last) continue;
          last = now;
          seen_ = true;
          changed();
        }
      }) {}

file_watch::~file_watch() {
  stop_ = true;
  thread_.join();
}

}  // namespace viewer
