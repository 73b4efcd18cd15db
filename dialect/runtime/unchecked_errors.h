#pragma once
// unchecked_errors: errors that calls have returned and the program hasn't looked at. Which results are dropped, the
// rewriter sees (dialect/rewrite/dropped_results.h): `cudaFree(x);` becomes `cudaFree(x),
// dialect::dropped_result(...);`.

#include <source_location>

#include "dialect/runtime/errors.h"

namespace dialect {

/// Stands behind a call whose result nobody uses.
struct dropped_result {
  const char* call;    ///< "cudaFree"
  unsigned lines = 0;  ///< of the source, from the call's name to here
  std::source_location end = std::source_location::current();
};
/// Takes what the call has returned. (Of a function of the program's own that returns nothing, the comma is C++'s.)
void operator,(cudaError_t result, const dropped_result& dropped);

/// A launch begins; it couldn't be queued, and nothing is returned that says so.
void note_launch(const std::source_location& launch);
void note_failed_launch(const char* kernel, const std::source_location& launch);

}  // namespace dialect
