#pragma once
// Signals that a thread of a kernel runs into: its stack overflows into the guard page, it divides an integer by zero,
// follows a pointer to what is no memory, or comes to what is no instruction. The thread is given up, and the error is
// reported where one waits for the kernel. Any signal elsewhere ends the program as it always does.

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Installs the handlers, once for the program.
void catch_kernel_faults();

/// From now on an access violation in a kernel ends the program as one elsewhere does, unless a stack has overflown:
/// for a program that runs what isn't trusted, and reports crashes itself. It may start no other process either, so
/// that an error says nothing of lines, and names a thread only where that needs no replay (fault_replay.h).
void leave_access_violations();
bool leaves_access_violations();

}  // namespace gs::inline GS_FLAVOUR::detail
