#pragma once
// Ctrl-C: the program ends at once, says what is kept, and leaves nothing behind.

#include <functional>
#include <string>

namespace workshop {

/// Once constructed, it handles SIGINT, SIGTERM and SIGHUP: private folders are removed, the result of `last_words`
/// goes to standard error, and the program ends by that signal, its children with it. Construct it before starting
/// threads: existing ones would still receive the signal. Throws gs::machine_error if the thread that waits for signals
/// can't be started.
class tidy_interrupts {
 public:
  tidy_interrupts();
  ~tidy_interrupts() = default;  // its thread waits until the program ends
  tidy_interrupts(const tidy_interrupts&) = delete;
  tidy_interrupts& operator=(const tidy_interrupts&) = delete;

  /// `words` is called on another thread. Empty: nothing is printed.
  static void last_words(std::function<std::string()> words);
};

}  // namespace workshop
