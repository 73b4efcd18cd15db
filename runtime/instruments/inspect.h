#pragma once
// gs::inspect: runs host code under the instruments and returns what they found and counted.

#include <bitset>
#include <string>

#include "runtime/core/config.h"
#include "runtime/core/function_ref.h"
#include "runtime/instruments/inspection.h"

namespace gs::inline GS_FLAVOUR {

struct inspect_options {
  std::bitset<instrument_count> instruments = ~std::bitset<instrument_count>();  ///< by the number of gs::instrument
  bool counters = true;
  /// Whether two threads that write the same bytes to one element race. CUDA leaves which write lasts undefined, so
  /// such a race changes no result; it is reported as such.
  bool same_value_races = true;
  std::string model = "9.0";  ///< compute capability whose limits apply, "7.0" to "12.0"

  /// What GRIDSTRIDE_INSPECT says: names separated by commas, of gs::instrument, "counters", "all", or "none"; a name
  /// after a minus is left out ("all,-counters", "-leakcheck"). Unset: everything. GRIDSTRIDE_GPU gives the model.
  /// Throws gs::error for a name that is none.
  static inspect_options from_environment();
};

/// Runs `body` and everything it queues, and returns what the instruments found in its kernels and counted. An
/// exception that leaves `body`, or a kernel, is thrown on when the instruments have been switched off. Arrays made
/// before are known, and count as written. Only the checked flavour (GRIDSTRIDE_CHECKED=1) observes accesses: the plain
/// one throws gs::error before it calls `body`.
inspection inspect(function_ref<void()> body, const inspect_options& options = inspect_options::from_environment());

/// Whether this program is the checked flavour.
bool can_inspect();

}  // namespace gs::inline GS_FLAVOUR
