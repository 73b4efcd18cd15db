#pragma once
// The engine: the CPU device. This header makes it; engine_queue.h is what launches use.

#include <memory>

#include "runtime/core/config.h"
#include "runtime/device/backend.h"

namespace gs::inline GS_FLAVOUR {

/// The engine's memory is the machine's own, in blocks apart from the host's, and limited to what the machine has.
std::unique_ptr<backend> make_engine();

}  // namespace gs::inline GS_FLAVOUR
