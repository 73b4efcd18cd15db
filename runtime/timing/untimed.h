#pragma once
// untimed_scope: a time in which nothing is timed, because its times would mislead.

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// While one lives, timeit executes its statement once and its one time is NaN, and so is what gs::seconds_between
/// returns. For programs that observe their kernels: those run a hundred times slower, and not equally so.
class untimed_scope {
 public:
  untimed_scope();
  ~untimed_scope();
  untimed_scope(const untimed_scope&) = delete;
  untimed_scope& operator=(const untimed_scope&) = delete;
};

/// Whether an untimed_scope lives.
bool untimed();

}  // namespace gs::inline GS_FLAVOUR
