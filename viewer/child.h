#pragma once
// A child process of the viewer: started, read from, cancelled. Nothing here waits for it.

#include <sys/types.h>

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace viewer {

/// A program in a session of its own, so that cancelling it ends what it started, too. A thread takes in what it
/// writes.
class child {
 public:
  struct handlers {
    /// What the program wrote to standard output. Called by the thread, as are the others.
    std::function<void(std::string_view)> text = {};
    /// What it wrote to standard error; where this isn't given, it comes with the text.
    std::function<void(std::string_view)> errors = {};
    /// What it wrote to descriptor 3.
    std::function<void(std::string_view)> stream = {};
    /// It has ended, with this exit status, or 128 + n if signal n ended it. The last call.
    std::function<void(int status)> ended = {};
  };

  /// Runs `command` (the program first; looked up in PATH unless it has a slash) with `variables` ("NAME=value") added
  /// to the environment. Throws gs::machine_error if it can't be started.
  child(const std::vector<std::string>& command, handlers h, const std::vector<std::string>& variables = {},
        const std::string& directory = {});
  ~child();  ///< cancels it and waits for its end
  child(const child&) = delete;
  child& operator=(const child&) = delete;

  /// Kills it and all it started. `ended` is called all the same.
  void cancel();

 private:
  struct pipes;
  void follow(pipes from);

  handlers handlers_;
  pid_t id_ = 0;
  std::mutex running_;  // while locked, id_ isn't taken by another process
  bool gone_ = false;
  std::thread thread_;
};

}  // namespace viewer
