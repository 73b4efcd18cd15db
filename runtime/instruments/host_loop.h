#pragma once
// Loops of the host that gs::for_pieces spreads over the cores: which variables their pieces have in common.

#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/core/function_ref.h"
#include "runtime/instruments/results/finding.h"

namespace gs::inline GS_FLAVOUR {

/// A variable that two pieces of a loop use, and at least one of them changes.
struct shared_variable {
  source_place where;                 ///< the second piece's access; line 0: not known
  std::size_t first = 0, second = 0;  ///< where the two pieces begin
  bool atomic = false;                ///< both go there by atomic operations
};

/// What happened in the loops that an observed call spread over the cores.
struct host_loops {
  std::size_t pieces = 0;               ///< of all loops
  std::vector<shared_variable> shared;  ///< one for each line
};

/// Calls `body`. The loops that it gives to gs::for_pieces run on this thread meanwhile, in pieces of their grain, one
/// after the other; piece `left_out` of them all doesn't run. In the checked flavour each access of the pieces is
/// followed, and what two of them have in common is found whether or not anything was lost: they could have run at the
/// same time. A lock is not seen. The plain flavour calls `body`, and that is all.
host_loops observe_host_loops(detail::function_ref<void()> body, std::optional<std::size_t> left_out = {});

}  // namespace gs::inline GS_FLAVOUR
