#pragma once
// untimed_scope: while it lives nothing is timed, because the times would mislead.

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// While one lives, timeit executes its statement once and its one time is NaN, and so is what gs::seconds_between
/// returns. For programs that observe their kernels: these run a hundred times slower, and not all by the same
/// factor.
class untimed_scope {
 public:
  untimed_scope();
  ~untimed_scope();
  untimed_scope(const untimed_scope&) = delete;
  untimed_scope& operator=(const untimed_scope&) = delete;
};

/// Whether an untimed_scope lives.
bool untimed();

}  // namespace gs::inline GS_FLAVOUR::detail
