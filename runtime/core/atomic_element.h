#pragma once
// What atomic operations work on.

#include <concepts>
#include <type_traits>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// What gs::atomic_ref takes: integers and floating-point numbers of 4 or 8 bytes, as on every CUDA device.
template <class T>
concept atomic_element =
    (std::integral<T> || std::floating_point<T>) && (sizeof(T) == 4 || sizeof(T) == 8) && !std::is_same_v<T, bool>;

}  // namespace gs::inline GS_FLAVOUR::detail
