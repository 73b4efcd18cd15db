#pragma once
// Ctrl-C: the program ends at once, says what is kept, and leaves nothing behind.

#include <functional>
#include <string>

namespace workshop {

/// From its construction on, SIGINT, SIGTERM and SIGHUP end the program so: its private folders are removed, what
/// `last_words` returns goes to standard error, and the program ends by that signal, its children with it. Make it
/// before any thread: threads that exist already would still be ended by the signal itself. Throws gs::machine_error if
/// the thread that waits for them can't be started.
class tidy_interrupts {
 public:
  tidy_interrupts();
  ~tidy_interrupts() = default;  // its thread waits until the program ends
  tidy_interrupts(const tidy_interrupts&) = delete;
  tidy_interrupts& operator=(const tidy_interrupts&) = delete;

  /// Called by another thread. Empty: nothing is said.
  static void last_words(std::function<std::string()> words);
};

}  // namespace workshop
