#pragma once
// Signals that a thread of a kernel runs into: its stack overflows into the guard page, or it divides an integer by
// zero. The thread is given up, and the error is reported where one waits for the kernel. Any other access violation,
// and any signal elsewhere, ends the program as it always does.

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// Installs the handlers, once for the program.
void catch_kernel_faults();
/// Gives the calling thread a stack for signal handlers, at first use: its own has no room when it has overflown.
void give_signals_a_stack();

}  // namespace gs::inline GS_FLAVOUR
