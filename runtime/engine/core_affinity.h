#pragma once
// Which core each thread of the pool runs on. Left to itself, the system often wakes a thread of the pool on the core
// of the thread that waits for it, where the two take turns while another core idles: half a millisecond of work then
// takes twice as long.

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// Gives the calling thread, one of the pool's, a core of its own, once for each thread. Does nothing where that would
/// leave no core to the thread that starts the work: on one core and on two, and where GRIDSTRIDE_THREADS asks for more
/// than there are.
void take_a_core();

/// Moves the thread of the pool, if there is one, that has the core on which the calling thread runs at this moment.
void keep_this_core_free();

}  // namespace gs::inline GS_FLAVOUR
