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
  std::vector<int> descriptors = {};      ///< become 3, 4, 5, ... there; every other one is closed
  std::filesystem::path directory = "/";  ///< where it starts
  std::uint64_t output_bytes = 1 << 20;   ///< of standard output and error together that are kept
};

enum class process_event {
  readable,  ///< the other descriptor has something to read, or its far end is closed
  ended,
  deadline
};

/// A child in a session of its own, with an empty standard input and an environment of a few variables (PATH, LANG), so
/// that nobody finds the parent's there. The thread that starts it must outlive it: sandboxes end with that thread.
class process {
 public:
  using clock = std::chrono::steady_clock;

  /// Throws gs::machine_error if it can't be started.
  explicit process(const process_options& o);
  ~process();  ///< end()
  process(const process&) = delete;
  process& operator=(const process&) = delete;

  /// Waits until `other` (if given) can be read, the process has ended, or the deadline. What the process writes is
  /// taken in meanwhile, so that it never waits for us. What can be read comes before the end.
  process_event wait(clock::time_point deadline, int other = -1);
  /// Kills the process and its session, and waits until all that held its output are gone (5 seconds at most).
  void end();

  /// Once it has ended: its exit status, or 128 + n if signal n ended it.
  int status() const { return status_; }
  bool ended() const { return !watch_.open(); }
  /// Standard output and error in the order they came, cut.
  const std::string& output() const { return output_; }
  std::uint64_t output_written() const { return written_; }  ///< bytes, those included that were cut

 private:
  void drain();
  void reap();

  pid_t id_ = 0;
  int status_ = 0;
  gs::detail::descriptor watch_;  // of the process itself; closed once its status is known
  gs::detail::descriptor pipe_;   // its output; closed when all that could write to it are gone
  std::uint64_t output_bytes_, written_ = 0;
  std::string output_;
};

/// What a program came to that ran to its end.
struct program_result {
  int status = 0;  ///< see process::status
  bool timed_out = false;
  std::string output;
  std::uint64_t cut_bytes = 0;  ///< of the output, which was longer
};
/// Runs a program to its end, for so many seconds at most. Throws gs::machine_error if it can't be started.
program_result run_program(const process_options& o, double seconds);

/// How somebody who waits for a compiler or a program can be called away.
struct interruption {
  int descriptor = -1;                  ///< whenever it can be read, `happened` is asked; -1: nobody interrupts
  std::function<bool()> happened = {};  ///< takes what can be read, and returns whether the work is to be given up
};
/// Nothing if it was interrupted; then the program is gone.
std::optional<program_result> run_program(const process_options& o, double seconds, const interruption& interrupt);

}  // namespace workshop
