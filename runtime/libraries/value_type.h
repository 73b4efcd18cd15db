#pragma once
// Elements that are moved and not looked into: only their size counts.

#include <cstddef>
#include <cstdint>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Whether with_value_type knows elements of that size.
constexpr bool is_value_size(std::size_t bytes) {
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
}

/// Sixteen bytes that are moved as one value.
struct alignas(8) wide_value {
  std::uint64_t low, high;
};

/// Calls `f.template operator()<Value>()` with a type of that many bytes.
template <class F>
void with_value_type(std::size_t bytes, const F& f) {
  switch (bytes) {
    case 1:
      return f.template operator()<std::uint8_t>();
    case 2:
      return f.template operator()<std::uint16_t>();
    case 4:
      return f.template operator()<std::uint32_t>();
    case 8:
      return f.template operator()<std::uint64_t>();
    default:
      return f.template operator()<wide_value>();
  }
}

}  // namespace gs::inline GS_FLAVOUR::detail
