#pragma once
// The order of keys as an order of unsigned numbers, whose digits radix sort counts.

#include <bit>
#include <cstdint>
#include <type_traits>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

template <class K>
struct ordinal_type {
  using type = std::make_unsigned_t<K>;
};
template <>
struct ordinal_type<float> {
  using type = std::uint32_t;
};
template <>
struct ordinal_type<double> {
  using type = std::uint64_t;
};
template <class K>
using ordinal_t = typename ordinal_type<K>::type;

template <class K>
constexpr ordinal_t<K> sign_bit = ordinal_t<K>(ordinal_t<K>(1) << (8 * sizeof(K) - 1));

/// An unsigned number that is ordered as the key is: -0.0 just before 0.0, and all NaNs the same, after everything.
template <class K>
GS_FN ordinal_t<K> ordinal(K key) {
  using U = ordinal_t<K>;
  if constexpr (std::is_floating_point_v<K>) {
    if (key != key) return static_cast<U>(~U{0});
    const U bits = std::bit_cast<U>(key);
    return bits & sign_bit<K> ? static_cast<U>(~bits) : static_cast<U>(bits | sign_bit<K>);
  } else {
    return static_cast<U>(static_cast<U>(key) ^ (std::is_signed_v<K> ? sign_bit<K> : U{0}));
  }
}

/// The key with that ordinal; a NaN for the ordinal of NaNs.
template <class K>
GS_FN K key_with(ordinal_t<K> number) {
  using U = ordinal_t<K>;
  if constexpr (std::is_floating_point_v<K>)
    return std::bit_cast<K>(number & sign_bit<K> ? static_cast<U>(number ^ sign_bit<K>) : static_cast<U>(~number));
  else
    return static_cast<K>(static_cast<U>(number ^ (std::is_signed_v<K> ? sign_bit<K> : U{0})));
}

/// 0.0 for -0.0, else the key itself, so that equal keys get equal ordinals.
template <class K>
GS_FN K without_negative_zero(K key) {
  if constexpr (std::is_floating_point_v<K>)
    return key + 0;
  else
    return key;
}

}  // namespace gs::inline GS_FLAVOUR::detail
