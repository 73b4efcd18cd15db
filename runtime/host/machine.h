#pragma once
// What the system says of this machine's processor and memory.

#include <cstddef>
#include <string>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// "AMD EPYC 9354"; empty where the system doesn't name it.
std::string processor_name();

/// The memory this process may use, in bytes: the machine's, or what its control group allows if that is less.
std::size_t usable_memory();

/// Bytes of it that can be taken now without swapping; the largest number where the system doesn't say.
std::size_t free_memory();

}  // namespace gs::inline GS_FLAVOUR::detail
