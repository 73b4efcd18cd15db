#pragma once
// Lanes of a warp that hand each other values through volatile memory without a barrier: before Volta they went in
// step, and programs relied on it. CUDA C++ Programming Guide, "Independent Thread Scheduling".

#include "dialect/rewrite/edits.h"
#include "dialect/rewrite/tokens.h"

namespace dialect {

/// Two steps such as `x[t] += x[t + 32]; x[t] += x[t + 16];` of a volatile pointer x in a function of the device, with
/// no barrier between them, don't compile: here lanes don't go in step, and the result would be wrong.
void refuse_unsynchronized_steps(const token_list& tokens, edit_list& edits);

}  // namespace dialect
