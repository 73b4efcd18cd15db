#include "viewer/course/file_watch.h"

#include <chrono>

namespace viewer {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// A file system's clock ticks every few milliseconds: two changes within a tick have the same time. A change is
// reported when its tick is over.
constexpr auto longest_tick = 50ms;

}  // namespace

file_watch::file_watch(fs::path file, std::function<void()> changed)
    : file_watch([file = std::move(file)] { return std::vector{file}; }, std::move(changed)) {}

file_watch::file_watch(std::function<std::vector<fs::path>()> list, std::function<void()> changed)
    : list_(std::move(list)), changed_(std::move(changed)) {
  list_files();  // here and not in the thread, which may start late: every change from now on counts
  thread_ = std::thread([this] { watch(); });
}

file_watch::~file_watch() {
  stop_ = true;
  thread_.join();
}

std::optional<fs::path> file_watch::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(seen_, std::nullopt);
}

// A file that is watched already keeps its time.
void file_watch::list_files() {
  std::map<fs::path, fs::file_time_type> listed;
  std::error_code none;
  for (const fs::path& file : list_()) {
    const auto known = times_.find(file);
    listed.emplace(file, known != times_.end() ? known->second : fs::last_write_time(file, none));
  }
  times_ = std::move(listed);
}

// Since the last look. A file that can't be read may be about to come back.
std::optional<fs::path> file_watch::changed_file() {
  std::optional<fs::path> changed;
  for (auto& [file, time] : times_) {
    std::error_code problem;
    const auto now = fs::last_write_time(file, problem);
    if (problem || now == std::exchange(time, now)) continue;
    changed = file;
  }
  return changed;
}

void file_watch::watch() {
  while (!stop_) {
    std::this_thread::sleep_for(100ms);
    std::optional<fs::path> file = changed_file();
    if (!file) continue;
    for (std::optional<fs::path> again = file; again && !stop_; again = changed_file()) {
      file = again;
      std::this_thread::sleep_for(longest_tick);
    }
    list_files();
    {
      const std::lock_guard lock(mutex_);
      seen_ = std::move(file);
    }
    changed_();
  }
}

}  // namespace viewer
