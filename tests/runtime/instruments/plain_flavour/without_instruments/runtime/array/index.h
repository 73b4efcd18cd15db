#pragma once
// Stands in for runtime/array/index.h: what indices would be if there were no instruments. An index is a number.

#include <concepts>
#include <cstddef>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

struct access_place {
  static constexpr access_place current() { return {}; }
};

struct index {
  std::size_t value;
  template <std::integral I>
  GS_FN constexpr index(I i) : value(static_cast<std::size_t>(i)) {}  // NOLINT: integers are indices
  template <std::integral I>
  GS_FN constexpr index(I i, access_place) : index(i) {}
};

template <bool = false, class T, class... I>
GS_FN T& element_at(T* data, [[maybe_unused]] const std::size_t* extents, index first, I... more) {
  std::size_t at = first.value;
  [[maybe_unused]] std::size_t d = 1;
  ((at = at * extents[d++] + static_cast<std::size_t>(more)), ...);
  return data[at];
}

}  // namespace gs::inline GS_FLAVOUR::detail
