#pragma once
#include <cstddef>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// The memory this process may use, in bytes: the machine's, or what its control group allows if that is less.
std::size_t usable_memory();

}  // namespace gs::inline GS_FLAVOUR
