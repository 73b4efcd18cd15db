#pragma once
// Building in the background, and what the compiler says by line.

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/child.h"

namespace viewer {

/// One message of the compiler.
struct compiler_message {
  std::string file = {};  ///< as the compiler names it
  int line = 0, column = 0;
  bool error = true;      ///< else a warning
  std::string text = {};  ///< without the place
};

/// The errors and warnings in the output of g++ and nvcc: "file:line:column: error: text", "file(line): error: text".
/// Notes and what stands between are left out.
std::vector<compiler_message> compiler_messages(std::string_view output);

class build_job {
 public:
  struct result {
    bool running = true;
    bool succeeded = false;
    std::vector<compiler_message> messages = {};
    std::string output = {};
    double seconds = 0;
  };

  /// Starts the command that builds. `changed` is called from a thread when it has ended. Throws gs::machine_error if
  /// the command can't be started.
  build_job(const std::vector<std::string>& command, std::function<void()> changed);

  result state() const;

 private:
  const std::function<void()> changed_;
  mutable std::mutex mutex_;
  result result_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  child child_;
};

}  // namespace viewer
