#pragma once
// gs::inspect: runs host code under the instruments and returns what they found and counted.

#include "runtime/core/config.h"
#include "runtime/core/function_ref.h"
#include "runtime/instruments/observing/inspect_options.h"
#include "runtime/instruments/results/inspection.h"

namespace gs::inline GS_FLAVOUR {

/// Runs `body` and everything it queues, and returns what the instruments found in its kernels and counted. What
/// leaves `body` or a kernel as an exception ends the inspection and is its `failure`. Arrays made before count as
/// written. Only the checked flavour (GRIDSTRIDE_CHECKED=1) observes accesses: the plain one throws gs::error before it
/// calls `body`, unless nothing is asked for, no instrument and no counters: then it runs it, on any device.
inspection inspect(detail::function_ref<void()> body,
                   const inspect_options& options = inspect_options::from_environment());

namespace detail {

/// What the inspection that runs has found by now, for a program that can't go on: nothing is observed afterwards, and
/// what still runs must stand still. Empty if none runs.
inspection inspection_so_far();

}  // namespace detail

/// Whether this program is the checked flavour.
bool can_inspect();

}  // namespace gs::inline GS_FLAVOUR
