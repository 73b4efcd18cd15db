#pragma once
// Notices when a file has been saved.

#include <atomic>
#include <filesystem>
#include <functional>
#include <thread>

namespace viewer {

/// Looks at the file's time of change several times a second, in a thread of its own: this works on every file system,
/// and for editors that write to another name and rename.
class file_watch {
 public:
  /// Watches from now on. `changed` is called from the thread.
  file_watch(std::filesystem::path file, std::function<void()> changed);
  ~file_watch();
  file_watch(const file_watch&) = delete;

  /// Whether the file has changed since this was last asked.
  bool take() { return seen_.exchange(false); }

 private:
  const std::filesystem::path file_;
  std::atomic<bool> seen_ = false, stop_ = false;
  std::thread thread_;
};

}  // namespace viewer
