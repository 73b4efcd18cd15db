#pragma once
// process: a child process whose output is drained, counted and cut, and that leaves nothing behind.

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/host/descriptor.h"

namespace workshop {

struct process_options {
  std::vector<std::string> command;       ///< the program first; looked up in PATH unless it has a slash
  std::vector<int> descriptors = {};      ///< become 3, 4, 5, ... in the child; all others are closed
  std::filesystem::path directory = "/";  ///< where it starts
  std::uint64_t output_bytes = 1 << 20;   ///< how much of standard output and error together is kept
};

enum class process_event {
  readable,  ///< the descriptor passed to wait() has something to read, or its far end is closed
  ended,
  deadline
};

/// A child in a session of its own, with an empty standard input and only a few environment variables (PATH, LANG), so
/// that it doesn't inherit the parent's. The thread that starts it must outlive it: a sandbox dies with that thread.
class process {
 public:
  using clock = std::chrono::steady_clock;

  /// Throws gs::machine_error if it can't be started.
  explicit process(const process_options& o);
  ~process();  ///< end()
  process(const process&) = delete;
  process& operator=(const process&) = delete;

  /// Waits until `descriptor` (if given) is readable, the process has ended, or the deadline has passed. Output is
  /// drained meanwhile, so the process never blocks on us. If several apply, `readable` is reported first.
  process_event wait(clock::time_point deadline, int descriptor = -1);
  /// Kills the process and its session, and waits until nothing holds its output open (5 seconds at most).
  void end();

  /// Its exit status once it has ended, or 128 + n if signal n ended it.
  int status() const { return status_; }
  bool ended() const { return !watch_.open(); }
  /// Standard output and error in the order they came, cut.
  const std::string& output() const { return output_; }
  std::uint64_t output_written() const { return written_; }  ///< bytes, including those cut

 private:
  void drain();
  void reap();

  pid_t id_ = 0;
  int status_ = 0;
  gs::detail::descriptor watch_;  // of the process itself; closed once its status is known
  gs::detail::descriptor pipe_;   // its output; closed when nothing can write to it any more
  std::uint64_t output_bytes_, written_ = 0;
  std::string output_;
};

/// How a program ended, and what it printed.
struct program_result {
  int status = 0;  ///< see process::status
  bool timed_out = false;
  std::string output;
  std::uint64_t cut_bytes = 0;  ///< how much of the output was dropped
};
/// Runs a program to its end, or for `seconds` at most. Throws gs::machine_error if it can't be started.
program_result run_program(const process_options& o, double seconds);

/// How waiting for a compiler or a program is interrupted.
struct interruption {
  int descriptor = -1;                  ///< when it becomes readable, `happened` is called; -1: never interrupted
  std::function<bool()> happened = {};  ///< reads the descriptor, and returns whether to give up
};
/// Empty if it was interrupted; the program has been killed by then.
std::optional<program_result> run_program(const process_options& o, double seconds, const interruption& interrupt);

}  // namespace workshop
