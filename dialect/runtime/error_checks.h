#pragma once
// error_checks: what the runtime's calls tell of what they return, so that it is known what a program has looked at
// (unchecked_errors.h). A result that isn't dropped counts as looked at.

#include "dialect/runtime/errors.h"

namespace dialect {

/// The program has asked cudaGetLastError() or its like, and has seen this.
void note_asked(cudaError_t seen);
/// The fault of a kernel is forgotten.
void forget_fault();
/// The last error of this thread, which stays.
cudaError_t last_error_of_thread();

}  // namespace dialect
