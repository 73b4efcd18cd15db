#pragma once
// The targets a ufunc runs on, for tests that must hold on each.

#include "runtime/device/device.h"
#include "runtime/device/target.h"

namespace runtime_test {

inline constexpr gs::target all_targets[] = {gs::target::cpu, gs::target::parallel, gs::target::device};

/// Whether all targets run the same compiled loop, so that they agree to the last bit. A GPU has code of its own.
inline bool same_code_everywhere() { return gs::current_device() == gs::device_kind::engine; }

}  // namespace runtime_test
