#pragma once
// Which core each thread of the pool runs on. Left to itself, the system often wakes a thread of the pool on the core
// of the thread that waits for it. The two then take turns while another core idles, and half a millisecond of work
// takes twice as long.

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Gives the calling thread, one of the pool's, the core that has the fewest of them, once for each thread. Does
/// nothing unless the pool and its caller are as many threads as there are cores: with fewer (GRIDSTRIDE_THREADS),
/// several programs that run at the same time would all crowd on the first cores. Two cores are few enough for the
/// pool's two threads to share one.
void take_a_core();

/// Moves the pool's threads, if there are any, away from the core that the calling thread runs on.
void keep_this_core_free();

}  // namespace gs::inline GS_FLAVOUR::detail
