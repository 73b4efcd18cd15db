#pragma once
// What a handler of SIGINT may ask for and do: only what is safe there.

#include <sys/types.h>

#include <string_view>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Lets the kernel that is inspected end at its next access, with a gs::error that names its thread and line, and so
/// every other of the inspection. False if nothing is inspected.
bool interrupt_inspection() noexcept;

/// The kernel that the engine runs, or has begun last; empty if it runs nothing.
std::string_view running_kernel() noexcept;
/// The thread of the system that runs it; 0 if the engine runs nothing.
pid_t thread_of_running_kernel() noexcept;

}  // namespace gs::inline GS_FLAVOUR::detail
