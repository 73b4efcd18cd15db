#pragma once
// patience: how a rank looks again and again for what it waits for.

#include <algorithm>
#include <chrono>
#include <thread>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// After so many looks in vain: a short wait is over soon; a long one leaves the core to others.
inline void pause_after(unsigned looks) {
  if (looks < 50)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(std::chrono::microseconds(std::min(looks, 1000u)));
}

}  // namespace gs::inline GS_FLAVOUR::detail
