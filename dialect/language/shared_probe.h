#pragma once
// shared_probe: how much shared memory a kernel's variables take, before it runs.
//
// The instruments must know it when a launch begins. What a kernel declares is known only where it runs; so its first
// block runs beforehand in a copy of this process, in which nothing that it does matters. Where no process may be
// started, as in the sandbox of an exercise, the variables get all the room that launches leave.

#include <cstddef>

#include "dialect/language/shared_variables.h"
#include "runtime/core/function_ref.h"

namespace dialect::detail {

/// Makes the layout known. Calls `run_block` in a copy of this process, for a second at most, and notes how many bytes
/// of variables it has come to. Does so once for each layout.
void probe_shared_bytes(shared_layout& layout, gs::detail::function_ref<void()> run_block);

}  // namespace dialect::detail
