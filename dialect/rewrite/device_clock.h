#pragma once
// In functions of the device, `clock()` is a clock of the multiprocessor, and elsewhere C's: CUDA C++ Programming
// Guide, "Time Function".

#include "dialect/rewrite/edits.h"
#include "dialect/rewrite/tokens.h"

namespace dialect {

/// Calls of clock() in `__global__` and `__device__` functions become calls of dialect::device_clock().
void rewrite_device_clock(const token_list& tokens, edit_list& edits);

}  // namespace dialect
