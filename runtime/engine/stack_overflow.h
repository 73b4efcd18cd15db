#pragma once
// Stack overflows in kernels: a fiber that runs into its guard page is given up, and the error is reported where one
// waits for the kernel. Any other access violation ends the program as it always does.

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// Installs the handler, once for the program.
void catch_stack_overflows();
/// Gives the calling thread a stack for signal handlers, at first use: its own has no room when it has overflown.
void give_signals_a_stack();

}  // namespace gs::inline GS_FLAVOUR
