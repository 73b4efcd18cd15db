#pragma once
// foreground: gives the terminal to a program until it ends, and handles Ctrl-C meanwhile.

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
  /// The signal that interrupted; 0 if none did.
  int ending_signal() const { return ending_signal_; }

  /// Runs a program to its end. Returns child_program::status().
  int run(const child_options& o);

 private:
  gs::detail::descriptor signals_;
  int ending_signal_ = 0;
};

/// Ends this program by that signal, as a shell expects of a program ended by Ctrl-C.
[[noreturn]] void end_by(int signal);

/// The same where one of those signals has ended a program with this child_program::status(); else nothing.
void end_as(int status);

}  // namespace programs
