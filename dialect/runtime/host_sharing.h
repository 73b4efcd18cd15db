#pragma once
// Programs whose host code uses memory of the device by itself, in the order of the default stream, as Thrust's
// algorithms do here.

#include "runtime/device/stream.h"

namespace dialect {

/// From now on work is waited for where it is queued, and every array that is allocated is the host's, too, to the
/// instruments. Returns true, for the initializer of a variable.
bool share_memory_with_host();
bool memory_is_shared_with_host();

/// Work has been queued on the stream.
void after_queueing(gs::stream& on);

}  // namespace dialect
