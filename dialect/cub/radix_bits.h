#pragma once
// Keys as unsigned numbers that are in the same order: CUB, "cub::DeviceRadixSort". Of floating-point numbers, -0 and 0
// are alike.

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "dialect/cub/operators.h"

namespace cub::detail {

template <std::size_t Bytes>
using unsigned_of = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

template <class Key>
inline constexpr bool is_whole_key = std::is_integral_v<Key> || std::is_enum_v<Key>;

/// Keys are whole or floating-point numbers of 1 to 8 bytes, half precision among them.
template <class Key>
GS_DIALECT_CUB_FN inline unsigned_of<sizeof(Key)> radix_bits(const Key& key) {
  static_assert(std::is_trivially_copyable_v<Key> && sizeof(Key) <= 8,
                "cub: keys are whole or floating-point numbers of at most 8 bytes");
  using bits_type = unsigned_of<sizeof(Key)>;
  constexpr auto sign = static_cast<bits_type>(bits_type{1} << (8 * sizeof(Key) - 1));
  bits_type bits;
  std::memcpy(&bits, &key, sizeof bits);
  if constexpr (is_whole_key<Key>)
    return std::is_signed_v<Key> ? static_cast<bits_type>(bits ^ sign) : bits;
  else {
    if (bits == sign) bits = 0;
    return static_cast<bits_type>(bits & sign ? ~bits : bits | sign);
  }
}

}  // namespace cub::detail
