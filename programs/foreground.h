#pragma once
// foreground: a program that has this one's terminal until it ends, and what this one does with Ctrl-C meanwhile.

#include "programs/child_program.h"
#include "runtime/host/descriptor.h"
#include "workshop/process.h"

namespace programs {

/// From its construction on, SIGINT, SIGTERM and SIGHUP don't end this program: they interrupt a compilation, and reach
/// the program that runs in the foreground.
class foreground {
 public:
  foreground();

  /// For workshop::compilation.
  workshop::interruption interruption();
  /// The signal that has interrupted; 0: none.
  int ending_signal() const { return ending_signal_; }

  /// Runs a program to its end. Returns child_program::status().
  int run(const child_options& o);

 private:
  gs::detail::descriptor signals_;
  int ending_signal_ = 0;
};

/// Ends this program by that signal, as a shell expects of what Ctrl-C has ended.
[[noreturn]] void end_by(int signal);

}  // namespace programs
