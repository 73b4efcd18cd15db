#pragma once
// Which bytes of an element hold its value, and which only lie between its members.

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::instruments {

/// Of the elements of an array: their size, and a byte for each of theirs, 0 where it is padding.
struct element_layout {
  std::size_t bytes = 0;                 ///< 0: nothing is known
  const unsigned char* holds = nullptr;  ///< null: not known
  bool no_padding = false;

  bool is_padding(std::size_t byte) const { return holds && holds[byte % bytes] == 0; }
};

/// A type without unions and pointers. std::bit_cast is a constant expression for such types alone.
template <class T>
concept has_values_only = std::is_trivially_copyable_v<T> && requires {
  typename std::bool_constant<(std::bit_cast<T>(std::array<unsigned char, sizeof(T)>{}), true)>;
};

template <class T>
GS_UNOBSERVED std::array<unsigned char, sizeof(T)> find_value_bytes() {
  std::array<unsigned char, sizeof(T)> holds;
  std::memset(holds.data(), 0xff, sizeof(T));
#if defined(__GNUC__) && !defined(__clang__)
  __builtin_clear_padding(reinterpret_cast<T*>(holds.data()));
#endif
  return holds;
}
template <class T>
inline const std::array<unsigned char, sizeof(T)> value_bytes = find_value_bytes<T>();

/// What of a union is in use, or was never written, can't be told: nothing is known of types that may hold one.
template <class T>
element_layout layout_of() {
  if constexpr (std::is_scalar_v<T>)
    return {sizeof(T), nullptr, true};
  else if constexpr (has_values_only<T>)
    return {sizeof(T), value_bytes<T>.data(), false};
  else
    return {sizeof(T), nullptr, false};
}

}  // namespace gs::inline GS_FLAVOUR::instruments
