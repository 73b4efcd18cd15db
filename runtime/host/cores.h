#pragma once
// Spreading work over the cores of this machine (oneTBB).

#include <cstddef>

#include "runtime/core/config.h"
#include "runtime/core/function_ref.h"

namespace gs::inline GS_FLAVOUR {

/// How many cores work is spread over: all that this process may use, or GRIDSTRIDE_THREADS if that is set.
/// Throws gs::error if the variable is not a number of 1 to 1024.
unsigned core_count();

namespace detail {

/// How many threads the pool has beside those that call it.
unsigned pool_threads();

}  // namespace detail

/// Calls `body(begin, end)` for pieces that together cover [0, n) once, on all cores, and returns when all have run.
/// No piece is split below `grain`; n <= grain runs on the calling thread. The first exception is rethrown here.
void for_pieces(std::size_t n, std::size_t grain, detail::function_ref<void(std::size_t begin, std::size_t end)> body);

namespace detail {

/// Runs `body` on one of the pool's threads, later; never on the calling one.
void run_later(void (*body)(void*), void* argument);

/// Waits until everything given to run_later has run, but no longer than `seconds`.
void finish_later(double seconds);

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
