#pragma once
// Integer divisions at which the processor stops: by zero, or of the most negative number by -1, also by %. Of the
// processors that the engine runs on, only x86 stops there; others go on with some number, as a GPU does.

#include "runtime/core/config.h"
#include "runtime/core/function_ref.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Runs `work`. False if it stopped at such a division and was given up there: what it had on its stack isn't
/// destroyed then. Costs the work itself nothing.
[[nodiscard]] bool without_division_fault(function_ref<void()> work);

/// For the handler of SIGFPE: gives up the work of the innermost without_division_fault that runs on this thread;
/// returns if there is none.
void give_up_at_division();

}  // namespace gs::inline GS_FLAVOUR::detail
