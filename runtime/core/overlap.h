#pragma once
// Whether two pieces of memory share a byte.

#include <cstddef>
#include <functional>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Whether [a, a + a_bytes) and [b, b + b_bytes) share a byte. A piece of 0 bytes shares none.
inline bool overlap(const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes) {
  constexpr std::less<const char*> before;  // an order of all pointers, where < has one within an array only
  const auto* const p = static_cast<const char*>(a);
  const auto* const q = static_cast<const char*>(b);
  return a_bytes > 0 && b_bytes > 0 && before(p, q + b_bytes) && before(q, p + a_bytes);
}

}  // namespace gs::inline GS_FLAVOUR::detail
