#pragma once
// gs::index: the position in v[i] and v(i, j). In the checked flavour it also carries the source line it was written
// on.

#include <concepts>
#include <cstddef>
#include <type_traits>

#if GRIDSTRIDE_CHECKED
#include <source_location>
#endif

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

#if GRIDSTRIDE_CHECKED

/// Where an access is written. The default argument is evaluated at the place of the v[i] itself.
using access_place = std::source_location;

struct index {
  std::size_t value;
  access_place where;
  template <std::integral I>
  GS_FN constexpr index(I i, access_place at = access_place::current())  // NOLINT: integers are indices
      : value(static_cast<std::size_t>(i)), where(at) {}
};

/// Throws gs::error: position `i` along dimension `d` is outside `extents`.
[[noreturn]] void refuse_index(const index& i, std::size_t d, const std::size_t* extents, std::size_t rank);

#else

struct access_place {};

struct index {
  std::size_t value;
  static constexpr access_place where{};
  template <std::integral I>
  GS_FN constexpr index(I i, access_place = {})  // NOLINT: integers are indices
      : value(static_cast<std::size_t>(i)) {}
};

#endif

}  // namespace gs::inline GS_FLAVOUR
