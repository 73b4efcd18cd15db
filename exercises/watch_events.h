#pragma once
// watch_events: the events that a watch waits for: saves, keys, signals to end.

#include <termios.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "runtime/host/descriptor.h"

namespace exercises {

class watch_events {
 public:
  /// Watches the files of a folder: editors save by writing another file and renaming it. Keys come from standard
  /// input, one at a time where it is a terminal. SIGINT, SIGTERM and SIGHUP are requests to end. Throws
  /// gs::machine_error where the system doesn't let it, gs::error where there is no such folder.
  explicit watch_events(const std::filesystem::path& folder);
  ~watch_events();  ///< restores the terminal
  watch_events(const watch_events&) = delete;
  watch_events& operator=(const watch_events&) = delete;

  /// Which file's changes count.
  void watch(const std::string& name) {
    watch_all([name](const std::string& changed) { return changed == name; });
  }
  /// Which files' changes count, by their names.
  void watch_all(std::function<bool(const std::string& name)> counts) { counts_ = std::move(counts); }

  /// Readable while there are events that take() hasn't handled.
  int descriptor() const { return epoll_.number(); }
  /// Waits for an event, for so many milliseconds at most; -1: for ever. Then handles it.
  void wait(int milliseconds);
  /// Handles the events that have arrived.
  void take() { wait(0); }

  bool take_saved() { return std::exchange(saved_, false); }
  bool saved() const { return saved_; }
  std::optional<char> take_key();  ///< the oldest one
  bool has_key(char key) const { return keys_.find(key) != keys_.npos; }
  bool input_ended() const { return input_ended_; }
  bool asked_to_end() const { return asked_to_end_; }
  bool folder_gone() const { return folder_gone_; }

 private:
  void take_changes();
  void take_keys();
  void take_signal();

  gs::detail::descriptor epoll_, changes_, signals_;
  std::function<bool(const std::string& name)> counts_ = [](const std::string&) { return false; };
  std::string keys_;
  bool saved_ = false, input_ended_ = false, asked_to_end_ = false, folder_gone_ = false;
  std::optional<termios> terminal_before_;
};

}  // namespace exercises
