#pragma once
// interruption: how somebody who waits for a compiler or a program can be called away.

#include <functional>
#include <optional>

#include "workshop/process.h"

namespace exercises {

struct interruption {
  int descriptor = -1;                  ///< whenever it can be read, `happened` is asked; -1: nobody interrupts
  std::function<bool()> happened = {};  ///< takes what can be read, and returns whether the work is to be given up
};

/// Runs a program to its end, for so many seconds at most. Nothing if it was interrupted; then it is gone. Throws
/// gs::machine_error if it can't be started.
std::optional<workshop::program_result> run_unless_interrupted(const workshop::process_options& o, double seconds,
                                                               const interruption& by);

}  // namespace exercises
