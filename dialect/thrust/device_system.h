#pragma once
// Thrust, as Debian has it (libthrust-dev), with oneTBB in the place of a GPU: its algorithms are functions of the
// host, which use memory of the engine and run when they are called. So what was queued before has to be done by then.

#include "dialect/runtime/host_sharing.h"

#undef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_TBB

namespace dialect {

inline const bool thrust_shares_memory = share_memory_with_host();

}  // namespace dialect
