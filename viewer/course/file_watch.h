#pragma once
// Notices when a file has been saved.

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace viewer {

/// Looks at the files' times of change several times a second, in a thread of its own: this works on every file system,
/// and for editors that write to another name and rename.
class file_watch {
 public:
  /// Watches from now on. `changed` is called from the thread.
  file_watch(std::filesystem::path file, std::function<void()> changed);
  /// Watches the files that `list` returns; it is called now, and from the thread after each change.
  file_watch(std::function<std::vector<std::filesystem::path>()> list, std::function<void()> changed);
  ~file_watch();
  file_watch(const file_watch&) = delete;

  /// The file that has changed since this was last asked: of several, the last one that was seen.
  std::optional<std::filesystem::path> take();

 private:
  void list_files();
  std::optional<std::filesystem::path> changed_file();
  void watch();

  const std::function<std::vector<std::filesystem::path>()> list_;
  const std::function<void()> changed_;
  std::map<std::filesystem::path, std::filesystem::file_time_type> times_;
  std::mutex mutex_;
  std::optional<std::filesystem::path> seen_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace viewer
